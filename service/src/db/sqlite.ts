import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isDamage } from './damage.ts';
import type { Database, Reader, WriterOptions } from './database.ts';
import { mostOfSmallFiles } from './large-read.ts';
import { makePrivateFolder } from './private-files.ts';
import { createLanes, type ReadSnapshot } from './read-lanes.ts';
import { startCheckpoints } from './sqlite-checkpoints.ts';
import { createSqliteWriter } from './sqlite-writer.ts';
import { type SqlValue, type Statement, writeForSqlite } from './statement.ts';

/**
 * Snapshots that may be open at once; each is a connection. Handlers wait inside one only for pages of files that are not in memory, so
 * few are ever used but on a slow disk.
 */
const MAX_READERS = 16;
const READER_CACHE_KIB = 32 * 1024;
/**
 * Of a file that is made anew; one that is there keeps its own. The rows of the index are pages of 2 to 4 KB, of which two or
 * three share one of these: a first sync writes less than with SQLite's usual 4 KB.
 */
const PAGE_BYTES = 8_192;
/**
 * Checkpoints are another thread's (sqlite-checkpoints.ts). A log that has grown to 1 GB is the writer's affair, however: it has to
 * wait for the disk then, and the log begins anew.
 */
const LONGEST_LOG_BYTES = 2 ** 30;
/**
 * What a first sync has made of the log is given back when it begins anew. Less would be too little for blocks at the tip: at each
 * new beginning the file would be cut and grow again, which took up to 100 ms.
 */
const KEPT_LOG_BYTES = 256 * 2 ** 20;
/** Readers map the beginning of the file instead of copying pages; what is mapped counts as memory of the process once touched. */
export const READER_MMAP_BYTES = 256 * 2 ** 20;

export type SqliteOptions = {
  /** False for who reads all over a large file: of that only the beginning is mapped, which saves nothing and takes memory. */
  mapsFile?: boolean;
  /** False where nobody else waits for this thread: what is large is read with the rest. */
  servesOthers?: boolean;
};

/**
 * Opens an SQLite database in WAL mode.
 *
 * Reads are synchronous underneath: all requests that arrive in one turn of the event loop share one snapshot, which
 * costs one `begin` for all of them and never lives longer than the handlers that use it. Where too many are open, who comes waits
 * for one to end.
 */
export function openSqlite(
  file: string,
  { mapsFile = true, servesOthers = true }: SqliteOptions = {},
): Database {
  makePrivateFolder(dirname(file));
  const idle: SqliteConnection[] = [];
  const open = new Set<SqliteConnection>();
  let shared: SharedSnapshot | undefined;
  const waiting: (() => void)[] = [];
  let closed = false;

  const beginSnapshot = (): SharedSnapshot => {
    let connection: SqliteConnection | undefined;
    try {
      connection = idle.pop() ?? openConnection(file, { mmapBytes: mapsFile ? READER_MMAP_BYTES : 0 });
      connection.database.exec('begin');
    } catch (error) {
      if (connection) drop(connection);
      throw error;
    }
    open.add(connection);
    // A reader is one snapshot: what is remembered of it holds for all who share it.
    const small = { ...connection.reader, mostAtOnce: mostOfSmallFiles };
    const large = { ...connection.reader };
    return { connection, readers: { small, large }, users: 0, ended: false, isBroken: false };
  };
  const drop = (connection: SqliteConnection): void => {
    open.delete(connection);
    connection.database.close();
  };
  const wakeWaiting = (): void => {
    for (const wake of waiting.splice(0)) wake();
  };
  /** All that was read has been handed out: how a snapshot ends decides about its connection only. */
  const giveBack = ({ connection, isBroken }: SharedSnapshot): void => {
    if (isBroken || !tryCommit(connection) || closed) drop(connection);
    else idle.push(connection);
    open.delete(connection);
    wakeWaiting();
  };

  const snapshotOf =
    (size: keyof SharedSnapshot['readers']): ReadSnapshot =>
    async (read) => {
      while (!closed && !shared && open.size >= MAX_READERS) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      if (closed) throw new Error('the database is closed');
      if (!shared) {
        const mine = beginSnapshot();
        shared = mine;
        setImmediate(() => {
          if (shared === mine) shared = undefined;
          mine.ended = true;
          if (mine.users === 0) giveBack(mine);
        });
      }
      const mine = shared;
      mine.users++;
      try {
        return await read(mine.readers[size]);
      } catch (error) {
        // Those who share it may still read what is whole; the next turn gets another one.
        mine.isBroken ||= isDamage(error);
        throw error;
      } finally {
        mine.users--;
        if (mine.users === 0 && mine.ended) giveBack(mine);
      }
    };

  return {
    engine: 'sqlite',
    snapshot: servesOthers ? createLanes(snapshotOf('small'), snapshotOf('large')) : snapshotOf('large'),
    async openWriter(options = {}) {
      const release = await lockWriter(file, options);
      const connection = openConnection(file, { cacheKib: (options.cacheMb ?? 256) * 1_024 });
      const { page_size } = connection.database.prepare('pragma page_size').get() as { page_size: number };
      connection.database.exec(`pragma wal_autocheckpoint = ${LONGEST_LOG_BYTES / page_size}`);
      connection.database.exec(`pragma journal_size_limit = ${KEPT_LOG_BYTES}`);
      return createSqliteWriter(
        connection,
        { log: `${file}-wal`, checkpoints: startCheckpoints(file) },
        release,
      );
    },
    async close() {
      closed = true;
      wakeWaiting();
      for (const connection of idle.splice(0)) connection.database.close();
    },
  };
}

/** False where a read of the transaction has met damage. */
function tryCommit({ database }: SqliteConnection): boolean {
  try {
    database.exec('commit');
    return true;
  } catch {
    return false;
  }
}

/** A read transaction that all requests of one turn share. */
type SharedSnapshot = {
  connection: SqliteConnection;
  /** For reads that are made with others, and for those that are known to be large. */
  readers: { small: Reader; large: Reader };
  users: number;
  /** The turn is over: nobody joins any more. */
  ended: boolean;
  /** The connection has met damage: nobody may use it again. */
  isBroken: boolean;
};

/** One connection with its compiled statements. */
export type SqliteConnection = {
  database: DatabaseSync;
  reader: Reader;
  compile(statement: Statement<unknown>): CompiledStatement;
};

export type CompiledStatement = { prepared: StatementSync; order: number[]; inOrder: boolean };

/** Opens one connection; the caller closes it. */
export function openConnection(
  file: string,
  { cacheKib = READER_CACHE_KIB, mmapBytes = 0 }: { cacheKib?: number; mmapBytes?: number },
): SqliteConnection {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec(`pragma page_size = ${PAGE_BYTES}`);
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = normal');
    database.exec('pragma temp_store = memory');
    database.exec(`pragma cache_size = -${cacheKib}`);
    database.exec(`pragma mmap_size = ${mmapBytes}`);
  } catch (error) {
    // Of a file that is no database at all, say.
    database.close();
    throw error;
  }
  const prepareText = (source: string, bigints: boolean): CompiledStatement => {
    const { text, order } = writeForSqlite(source);
    const prepared = database.prepare(text);
    if (bigints) prepared.setReadBigInts(true);
    return { prepared, order, inOrder: order.every((parameter, position) => parameter === position) };
  };
  const compiled = new Map<Statement<unknown>, CompiledStatement>();
  const compile = (statement: Statement<unknown>): CompiledStatement => {
    let entry = compiled.get(statement);
    if (!entry) {
      entry = prepareText(statement.text, statement.bigints);
      compiled.set(statement, entry);
    }
    return entry;
  };
  const singles = new Map<Statement<unknown>, CompiledStatement>();
  const compileSingle = (statement: Statement<unknown>): CompiledStatement => {
    let entry = singles.get(statement);
    if (!entry) {
      entry = prepareText(statement.single, statement.bigints);
      singles.set(statement, entry);
    }
    return entry;
  };
  const reader: Reader = {
    folder: `${file}-runs`,
    async all<Row>(statement: Statement<Row>, params: readonly SqlValue[] = []) {
      const { prepared, order, inOrder } = compile(statement);
      return prepared.all(...(inOrder ? params : order.map((i) => params[i] ?? null))) as Row[];
    },
    async get<Row>(statement: Statement<Row>, params: readonly SqlValue[] = []) {
      const { prepared, order, inOrder } = compile(statement);
      return prepared.get(...(inOrder ? params : order.map((i) => params[i] ?? null))) as Row | undefined;
    },
    async lookup<Row>(statement: Statement<Row>, keys: ArrayLike<number>) {
      const { prepared, order } = compileSingle(statement);
      const rows: Row[] = [];
      let end = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i]!;
        if (key < end) continue;
        if (statement.endOf) {
          // Asking for the one row takes two thirds of the time of asking for all.
          const row = prepared.get(key) as Row | undefined;
          if (row === undefined) continue;
          rows.push(row);
          end = statement.endOf(row);
          continue;
        }
        const found = order.length === 1 ? prepared.all(key) : prepared.all(...order.map(() => key));
        for (const row of found) rows.push(row as Row);
      }
      return rows;
    },
  };
  return { database, reader, compile };
}

/**
 * Takes the lock of the only writer: an exclusive transaction on a small file beside the database, held open for the
 * life of the process and freed by the system however that ends.
 */
async function lockWriter(file: string, { signal, onWait }: WriterOptions): Promise<() => void> {
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  for (let tries = 0; ; tries++) {
    try {
      lock.exec('begin exclusive');
      return () => lock.close();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    if (tries === 0) onWait?.();
    await delay(500, undefined, signal ? { signal } : {}).catch((error: unknown) => {
      lock.close();
      throw error;
    });
  }
}

function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && (code & 0xff) === 5;
}
