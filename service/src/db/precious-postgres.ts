import { CompiledQuery, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseUnavailableError, type Reader } from './database.ts';
import { measurePool, openPool, type PoolLoad, type PoolOptions } from './postgres-pool.ts';
import { READ_ONLY, runQuery, throwUnavailable } from './postgres-query.ts';
import { createSharedReads } from './postgres-reads.ts';

/** Where the precious data are, unless a restore is under way. */
export const PRECIOUS_SCHEMA = 'front';
const MAX_CONNECTIONS = 16;
/** One that reads, and one that takes its place when it breaks. */
const MAX_READERS = 2;
const QUERY_TIMEOUT_MS = 30_000;
const READ_TIMEOUT_MS = 15_000;
const INT8_OID = 20;

/**
 * Opens the schema of the precious data; nothing is connected before the first use. Whatever passes by itself - a server
 * that is away, a deadlock - is a `DatabaseUnavailableError`.
 */
export function openPostgresSchema(
  url: string,
  { queryTimeoutMs = QUERY_TIMEOUT_MS, schema = PRECIOUS_SCHEMA } = {},
): { db: Kysely<unknown>; load: () => PoolLoad } {
  const pool = openSchemaPool(url, { schema, max: MAX_CONNECTIONS, queryTimeoutMs });
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect().catch(throwUnavailable);
    let known = clients.get(client);
    if (known === undefined) {
      known = wrapClient(client);
      clients.set(client, known);
    }
    return known;
  };
  const wrapped = { connect, end: () => pool.end(), options: pool.options };
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: wrapped }) });
  return { db, load: () => measurePool(pool) };
}

/** Reads of fixed statements, outside of transactions, shared by those who come together. */
export function openPostgresReads(
  url: string,
  schema: string,
): { all: Reader['all']; load: () => PoolLoad; close(): Promise<void> } {
  // A statement is planned once for a connection: one that was planned while a table was small would go through all of it for ever.
  const pool = openSchemaPool(url, {
    ...{ schema, max: MAX_READERS, queryTimeoutMs: READ_TIMEOUT_MS },
    settings: { enable_seqscan: 'off' },
  });
  return { all: createSharedReads(pool), load: () => measurePool(pool), close: () => pool.end() };
}

type SchemaPoolOptions = Pick<PoolOptions, 'max' | 'queryTimeoutMs' | 'settings'> & { schema: string };

function openSchemaPool(urls: string, { schema, settings, ...options }: SchemaPoolOptions): pg.Pool {
  return openPool(urls, {
    ...options,
    settings: { search_path: schema, ...settings },
    // A restore looks for sessions of the service, and is none.
    ...(schema === PRECIOUS_SCHEMA ? {} : { applicationName: 'coinfront-restore' }),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
}

/** Makes the schema itself, which the tables are in. */
export async function createPostgresSchema(db: Kysely<unknown>, schema: string): Promise<void> {
  try {
    await db.executeQuery(CompiledQuery.raw(`create schema if not exists ${schema}`));
  } catch (error) {
    // Two processes that start at once both make it: one of them may be told that it is there.
    if (!['23505', '42P06'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

/**
 * A connection that gave no answer in time, or whose server takes no writes, is closed, not used again: its query may still run, and its transaction and
 * its locks with it, which would be taken for the next user's.
 */
function wrapClient(client: pg.PoolClient): PostgresPoolClient {
  let isLost = false;
  const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    try {
      return await runQuery(client, { text, values: [...values] });
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      const isAnswer = cause instanceof pg.DatabaseError && cause.code !== READ_ONLY;
      isLost ||= error instanceof DatabaseUnavailableError && !isAnswer;
      throw error;
    }
  };
  return {
    query,
    release: (error?: Error | boolean) => client.release(error || isLost),
  } as unknown as PostgresPoolClient;
}
