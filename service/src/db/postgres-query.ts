import pg from 'pg';
import { DatabaseUnavailableError } from './database.ts';
import { mayBeLarge, selectSmall } from './large-read.ts';
import { listWideColumns, rewriteWideColumns, type Statement } from './statement.ts';

const INT8_OID = 20;
const BYTEA_OID = 17;

/** SQLSTATE of a write on a server that takes none: a standby, or a primary that has been replaced. */
export const READ_ONLY = '25006';
/** SQLSTATEs of what passes by itself: broken connection, conflict, lack of resources, intervention, I/O, a failover. */
const PASSING = new RegExp(`^(08|40|53|57|58|${READ_ONLY})`);

/** A connection, or a pool that takes one for each query. */
type Queryable = { query(query: pg.QueryConfig): Promise<pg.QueryResult> };

/**
 * Runs a query.
 *
 * @throws DatabaseUnavailableError unless the server answered that the query itself is at fault
 */
export async function runQuery(client: Queryable, query: pg.QueryConfig): Promise<pg.QueryResult> {
  try {
    return await client.query(query);
  } catch (error) {
    return throwQueryError(error);
  }
}

/** Throws what a query failed by: the server's answer where the query itself is at fault, DatabaseUnavailableError otherwise. */
export function throwQueryError(error: unknown): never {
  if (error instanceof pg.DatabaseError && !PASSING.test(error.code ?? '')) throw error;
  throwUnavailable(error);
}

/** Says that what failed may succeed later. */
export function throwUnavailable(cause: unknown): never {
  if (cause instanceof DatabaseUnavailableError) throw cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new DatabaseUnavailableError(`The database does not answer: ${reason}`, { cause });
}

type Prepared = { readonly name: string; readonly text: string; readonly wide: readonly string[] };

/** As they are, and as they are written for {@link QueryOptions.onlySmall}. */
const prepared = { whole: new WeakMap<object, Prepared>(), small: new WeakMap<object, Prepared>() };
let lastName = 0;

function prepare(statement: Statement<unknown>, onlySmall = false): Prepared {
  const isBounded = onlySmall && mayBeLarge(statement);
  const all = isBounded ? prepared.small : prepared.whole;
  let known = all.get(statement);
  if (!known) {
    // The driver takes answers as text. Hex, in which bytes are written otherwise, is half as long again and takes this
    // side five times as long to read, or more.
    const encode = (column: string): string => `encode(${column}, 'base64')`;
    known = {
      name: `s${++lastName}`,
      text: rewriteWideColumns(statement.text, isBounded ? (column) => selectSmall(column, encode) : encode),
      wide: listWideColumns(statement.text),
    };
    all.set(statement, known);
  }
  return known;
}

/** How a statement is asked. */
export type QueryOptions = {
  /** Wide columns that are large are null: see {@link hasLeftOut}. */
  readonly onlySmall?: boolean;
};

/** The name under which the server keeps a statement. */
export function nameOf(statement: Statement<unknown>, { onlySmall }: QueryOptions = {}): string {
  return prepare(statement, onlySmall).name;
}

/** Whether rows that were asked for with `onlySmall` lack something. */
export function hasLeftOut(statement: Statement<unknown>, rows: readonly unknown[]): boolean {
  const { wide } = prepare(statement);
  return (
    wide.length > 0 &&
    rows.some((row) => wide.some((name) => (row as Record<string, unknown>)[name] === null))
  );
}

/**
 * Runs a statement, which is parsed and planned by the server once per connection.
 *
 * @throws DatabaseUnavailableError as {@link runQuery}
 */
export async function queryRows<Row>(
  client: Queryable,
  statement: Statement<Row>,
  params: readonly unknown[],
  { onlySmall }: QueryOptions = {},
): Promise<Row[]> {
  const { name, text, wide } = prepare(statement, onlySmall);
  const types = statement.bigints ? BIGINT_TYPES : NUMBER_TYPES;
  const { rows } = await runQuery(client, { name, text, values: [...params], types });
  for (const row of wide.length > 0 ? rows : []) {
    for (const name of wide) if (row[name] !== null) row[name] = plainBytes(Buffer.from(row[name], 'base64'));
  }
  return rows;
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

function parseBytes(text: string): Uint8Array {
  return plainBytes(Buffer.from(text.slice(2), 'hex'));
}

/** As SQLite gives them: the driver's Buffer is no Uint8Array to rely on, its `slice` is a view. */
function plainBytes(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
