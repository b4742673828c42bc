/**
 * The precious data: what cannot be read from the chain again - merchants, payments, deliveries. Small, and the backup.
 *
 * On SQLite they are a file of their own; on PostgreSQL a schema of their own (`front`) beside the derived tables.
 */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { DatabaseLocation } from './database.ts';
import { createNodeSqliteDialect } from './node-sqlite-dialect.ts';

/** Queries of tables `T`, inside a transaction or not. */
export type Query<T> = Kysely<T> | Transaction<T>;

/** The open precious database. */
export type Precious = {
  readonly engine: 'sqlite' | 'postgres';
  /** Queries of a part's tables. Never used inside `transaction`: on SQLite it would wait for itself. */
  query<T>(): Kysely<T>;
  /** Runs `work` in one transaction that sees and locks as a writer does; what it throws takes all of it back. */
  transaction<T, R>(work: (trx: Transaction<T>) => Promise<R>): Promise<R>;
  close(): Promise<void>;
};

/** Steps of the schema by name, in the order of the names; a step that is released is never changed. */
export type Migrations = Readonly<Record<string, (db: Kysely<unknown>) => Promise<void>>>;

const SCHEMA = 'front';
const MAX_CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 30_000;
const SQLITE_BUSY_TIMEOUT_MS = 10_000;
const INT8_OID = 20;

/**
 * Opens the precious database and brings its schema up to date.
 *
 * @throws Error when a migration fails: nothing may run on half a schema
 */
export async function openPrecious(location: DatabaseLocation, migrations: Migrations): Promise<Precious> {
  const db =
    location.kind === 'sqlite' ? openSqliteFile(location.file) : await openPostgresSchema(location.url);
  try {
    await migrate(db, migrations);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    engine: location.kind,
    query: <T>() => db as unknown as Kysely<T>,
    transaction: (work) => (db as unknown as Kysely<never>).transaction().execute(work as never),
    close: () => db.destroy(),
  };
}

function openSqliteFile(file: string): Kysely<unknown> {
  const dialect = createNodeSqliteDialect(() => {
    mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file, { timeout: SQLITE_BUSY_TIMEOUT_MS });
    database.exec('pragma journal_mode = wal');
    // Unlike the index, nothing here can be made again: a commit is on the disk before anybody is told of it.
    database.exec('pragma synchronous = full');
    database.exec('pragma foreign_keys = on');
    return database;
  });
  return new Kysely({ dialect });
}

async function openPostgresSchema(url: string): Promise<Kysely<unknown>> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'coinfront',
    options: `-c search_path=${SCHEMA}`,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
    },
  });
  // Broken idle connections are replaced by the pool; without listeners they would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  // Two processes that start at once both make it: one of them may be told that it is there.
  await pool.query(`create schema if not exists ${SCHEMA}`).catch(async (error: { code?: string }) => {
    if (error.code === '23505' || error.code === '42P06') return;
    await pool.end();
    throw error;
  });
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

async function migrate(db: Kysely<unknown>, migrations: Migrations): Promise<void> {
  const steps = Object.entries(migrations).map(([name, up]): [string, Migration] => [name, { up }]);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(steps) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? 'its preparation';
  throw new Error(`The precious database cannot be brought up to date: ${failed} failed.`, { cause: error });
}
