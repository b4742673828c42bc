import pg from 'pg';
import { DatabaseUnavailableError } from './database.ts';
import type { Statement } from './statement.ts';

const INT8_OID = 20;
const BYTEA_OID = 17;

/** SQLSTATE classes of what passes by itself: broken connection, conflict, lack of resources, intervention, I/O. */
const PASSING = /^(08|40|53|57|58)/;

/**
 * Runs a query.
 *
 * @throws DatabaseUnavailableError unless the server answered that the query itself is at fault
 */
export async function runQuery(client: pg.ClientBase, query: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await client.query(query);
  } catch (error) {
    if (error instanceof pg.DatabaseError && !PASSING.test(error.code ?? '')) throw error;
    return throwUnavailable(error);
  }
}

/** Says that what failed may succeed later. */
export function throwUnavailable(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new DatabaseUnavailableError(`The database does not answer: ${reason}`, { cause });
}

const names = new WeakMap<Statement<unknown>, string>();
let lastName = 0;

/** The name under which the server keeps a statement. */
export function nameOf(statement: Statement<unknown>): string {
  let name = names.get(statement);
  if (!name) {
    name = `s${++lastName}`;
    names.set(statement, name);
  }
  return name;
}

/** A named query is parsed and planned by the server once per connection. */
export function describeQuery(statement: Statement<unknown>, params: readonly unknown[]): pg.QueryConfig {
  return {
    name: nameOf(statement),
    text: statement.text,
    values: [...params],
    types: statement.bigints ? BIGINT_TYPES : NUMBER_TYPES,
  };
}

const NUMBER_TYPES = typesWithInt8(Number);
const BIGINT_TYPES = typesWithInt8(BigInt);

function typesWithInt8(parseInt8: (text: string) => unknown): pg.CustomTypesConfig {
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
      if (oid === INT8_OID) return parseInt8;
      if (oid === BYTEA_OID) return parseBytes;
      return pg.types.getTypeParser(oid, format as 'text');
    }) as typeof pg.types.getTypeParser,
  };
}

/** Plain bytes, as SQLite gives them: the driver's Buffer is no Uint8Array to rely on, its `slice` is a view. */
function parseBytes(text: string): Uint8Array {
  const bytes = Buffer.from(text.slice(2), 'hex');
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
