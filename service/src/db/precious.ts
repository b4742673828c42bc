/**
 * The precious data: what cannot be read from the chain again - merchants, payments, deliveries. Small, and the backup.
 *
 * On SQLite they are a file of their own; on PostgreSQL a schema of their own (`front`) beside the derived tables.
 */

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CompiledQuery, Kysely, type Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { adviseOnPrecious, type DamageAdvice, describeDamage, isDamage } from './damage.ts';
import { type DatabaseLocation, DatabaseUnavailableError, type Reader } from './database.ts';
import { describeFullDisk } from './full-disk.ts';
import { createGroupCommit } from './group-commit.ts';
import { createNodeSqliteDialect } from './node-sqlite-dialect.ts';
import type { PoolLoad } from './postgres-pool.ts';
import { checkSessions } from './postgres-sessions.ts';
import {
  createPostgresSchema,
  openPostgresReads,
  openPostgresSchema,
  PRECIOUS_SCHEMA,
} from './precious-postgres.ts';
import { keepPrivate } from './private-files.ts';
import { findNewerStep, LIST_STEPS } from './schema-steps.ts';
import { openSqliteReads } from './sqlite-reads.ts';
import type { SqlValue, Statement } from './statement.ts';

/** Queries of tables `T`, inside a transaction or not. */
export type Query<T> = Kysely<T> | Transaction<T>;

/** The open precious database. Both ways to it throw `DatabaseUnavailableError` while it cannot be reached. */
export type Precious = {
  readonly engine: 'sqlite' | 'postgres';
  /** What its pools of connections are doing, by name; only where there are some. */
  listPools?(): ReadonlyMap<string, PoolLoad>;
  /** Queries of a part's tables. Never used inside `transaction`: on SQLite it would wait for itself. */
  query<T>(): Kysely<T>;
  /** Runs `work` in one transaction that sees and locks as a writer does; what it throws takes all of it back. */
  transaction<T, R>(work: (trx: Transaction<T>) => Promise<R>): Promise<R>;
  /**
   * Rows of a fixed statement, outside of transactions, by the shortest way: compiled once; on SQLite beside the
   * writing connection instead of behind it, on PostgreSQL with those who ask the same at the same time. What was committed
   * before is seen.
   */
  read<Row>(statement: Statement<Row>, params: readonly SqlValue[]): Promise<Row[]>;
  close(): Promise<void>;
};

/** Reads beside the connections that write. */
type Reads = { all: Reader['all']; load?: () => PoolLoad; close(): unknown };

/** Steps of the schema by name, in the order of the names; a step that is released is never changed. */
export type Migrations = Readonly<Record<string, (db: Kysely<unknown>) => Promise<void>>>;

const SQLITE_BUSY_TIMEOUT_MS = 10_000;
const RETRY_MS = 1_000;

/**
 * Opens the precious database and brings its schema up to date. A PostgreSQL that is away is waited for in the
 * background.
 *
 * @param schema of PostgreSQL, where they are not in the usual one
 * @throws Error when a migration fails: nothing may run on half a schema; or when others can read the file, and that cannot be
 *   changed: secrets are in it
 */
export async function openPrecious(
  location: DatabaseLocation,
  migrations: Migrations,
  schema: string = PRECIOUS_SCHEMA,
): Promise<Precious> {
  const isSqlite = location.kind === 'sqlite';
  if (isSqlite) keepPrivate(location.file);
  const advice = adviseOnPrecious(location);
  const server = isSqlite ? undefined : openPostgresSchema(location.url, { schema });
  const db = isSqlite ? openSqliteFile(location.file, advice) : server!.db;
  let unready: Error | undefined;
  const prepare = async (): Promise<void> => {
    if (!isSqlite) {
      await checkSessions(location.url);
      await createPostgresSchema(db, schema);
    }
    await migrate(db, migrations, advice);
    unready = undefined;
  };
  const closing = new AbortController();
  try {
    await prepare();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) {
      await db.destroy();
      throw error;
    }
    unready = error;
    void waitForServer();
  }

  async function waitForServer(): Promise<void> {
    while (unready instanceof DatabaseUnavailableError) {
      await delay(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (closing.signal.aborted) return;
      await prepare().catch((error: Error) => {
        unready = error;
      });
    }
  }

  const runGrouped = createGroupCommit(db);
  const reads: Reads = isSqlite ? openSqliteReads(location.file) : openPostgresReads(location.url, schema);
  const { load } = reads;
  return {
    engine: location.kind,
    ...(server &&
      load && {
        listPools: () =>
          new Map([
            ['precious', server.load()],
            ['precious_reads', load()],
          ]),
      }),
    query<T>() {
      if (unready) throw unready;
      return db as Kysely<T>;
    },
    async transaction<T, R>(work: (trx: Transaction<T>) => Promise<R>): Promise<R> {
      if (unready) throw unready;
      if (isSqlite) return (await runGrouped(work as never)) as R;
      return await (db as Kysely<T>).transaction().execute(work);
    },
    async read<Row>(statement: Statement<Row>, params: readonly SqlValue[]): Promise<Row[]> {
      if (unready) throw unready;
      try {
        return await reads.all(statement, params);
      } catch (error) {
        throw describeDamage(error, advice);
      }
    },
    async close() {
      closing.abort();
      await reads.close();
      await db.destroy();
    },
  };
}

function openSqliteFile(file: string, advice: DamageAdvice): Kysely<unknown> {
  const open = (): DatabaseSync => {
    const database = new DatabaseSync(file, { timeout: SQLITE_BUSY_TIMEOUT_MS });
    database.exec('pragma journal_mode = wal');
    // Unlike the index, nothing here can be made again: a commit is on the disk before anybody is told of it.
    database.exec('pragma synchronous = full');
    database.exec('pragma foreign_keys = on');
    return database;
  };
  const dialect = createNodeSqliteDialect(open, (error) =>
    describeFullDisk(describeDamage(error, advice), file),
  );
  return new Kysely({ dialect });
}

async function migrate(db: Kysely<unknown>, migrations: Migrations, advice: DamageAdvice): Promise<void> {
  // Kysely describes all tables before it finds that nothing is to be done.
  if (isDeepStrictEqual((await listSteps(db)).sort(), Object.keys(migrations).sort())) return;
  const steps = Object.entries(migrations).map(([name, up]): [string, Migration] => [name, { up }]);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(steps) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof DatabaseUnavailableError) throw error;
  if (isDamage(error)) throw describeDamage(error, advice);
  const newer = findNewerStep(advice.name, await listSteps(db), Object.keys(migrations));
  if (newer !== undefined) throw new Error(newer);
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? 'its preparation';
  throw new Error(`The precious database cannot be brought up to date: ${failed} failed.`, { cause: error });
}

async function listSteps(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await db
    .executeQuery<{ name: string }>(CompiledQuery.raw(LIST_STEPS))
    .catch(() => ({ rows: [] }));
  return rows.map(({ name }) => name);
}
