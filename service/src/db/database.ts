import type { PoolLoad } from './postgres-pool.ts';
import type { SqlValue, Statement } from './statement.ts';
import type { Table } from './table.ts';

/** Values of one column of many rows. */
export type ColumnData = ArrayLike<SqlValue>;

/** Reads, all of one snapshot. */
export type Reader = {
  /** Where large things are kept as files beside the database; undefined where all of it is in tables. */
  readonly folder: string | undefined;
  /** Bytes of these files that are read at once: who would read more is told by a `LargeReadError`. No bound where it is undefined. */
  readonly mostAtOnce?: number | undefined;
  all<Row>(statement: Statement<Row>, params?: readonly SqlValue[]): Promise<Row[]>;
  get<Row>(statement: Statement<Row>, params?: readonly SqlValue[]): Promise<Row | undefined>;
  /**
   * Runs a statement with one parameter for each of many integer keys. On SQLite once per key; on PostgreSQL once, with
   * all keys as `int8[]` in `$1`: see `single` of {@link Statement}.
   */
  lookup<Row>(statement: Statement<Row>, keys: ArrayLike<number>): Promise<Row[]>;
};

/**
 * The one connection that writes. Between {@link Writer.begin} and {@link Writer.commit} its reads see its own changes,
 * and nobody else sees them. Where a bulk operation fails, it or whatever follows it throws, at the latest the commit.
 */
export type Writer = Reader & {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** When it has returned, what was committed stays also where the machine stops. */
  sync(): Promise<void>;
  run(statement: Statement<unknown>, params?: readonly SqlValue[]): Promise<void>;
  /**
   * The rows of many primary keys, `keys` in its order, all integers as bigint. On PostgreSQL in few statements; keys that
   * are not there have no row, and the order is any.
   */
  findRows(table: Table, count: number, keys: readonly ColumnData[]): Promise<Record<string, SqlValue>[]>;
  /** Inserts `count` rows; `columns` in the order of the table. */
  insert(table: Table, count: number, columns: readonly ColumnData[]): Promise<void>;
  /** Inserts rows, replacing those of the same primary key. */
  upsert(table: Table, count: number, columns: readonly ColumnData[]): Promise<void>;
  /** Sets all columns behind the primary key, which must be the first columns. */
  update(table: Table, count: number, columns: readonly ColumnData[]): Promise<void>;
  /** Deletes by primary key; `keys` in its order. Keys that are not there are passed over. */
  delete(table: Table, count: number, keys: readonly ColumnData[]): Promise<void>;
  /** Calls `onMessage` with what {@link Database.notify} sends. Only where several processes can share a database. */
  listen?(channel: string, onMessage: (message: string) => void): Promise<void>;
  /**
   * Whether the session that holds the lock is there: it was when the question was sent, and a moment after. At any time, also within a
   * transaction. Only where a session can end without the process noticing.
   *
   * @throws DatabaseUnavailableError, and what makes the server refuse in a transaction that has failed
   */
  checkSession?(): Promise<void>;
  close(): Promise<void>;
};

export type WriterOptions = {
  signal?: AbortSignal;
  cacheMb?: number;
  onWait?: () => void;
  /** Nobody tells readers what the holder of the lock before this one had, so the first commit waits for nobody: see `takeover-wait.ts`. */
  isUntold?: boolean;
};

/**
 * How a snapshot is read where cheap and dear reads are kept apart. There `read` is begun with others, and once more by itself when it
 * meets something large: it must do nothing that may not be done twice.
 */
export type SnapshotOptions = {
  /** Whoever has just written in the primary, and goes on from what is there, does not read a replica. */
  readonly fromPrimary?: boolean;
  /** It is known to be large: it is by itself from the beginning. */
  readonly isLarge?: boolean;
  /** Waits until it may be read by itself; gives what ends that. What it throws ends the read. */
  readonly enterLarge?: () => Promise<() => void>;
};

/** An open database. */
export type Database = {
  readonly engine: 'sqlite' | 'postgres';
  /** What its pools of connections are doing, by name; only where there are some. */
  listPools?(): ReadonlyMap<string, PoolLoad>;
  /**
   * Runs `read` on one snapshot; nothing but its reads may be awaited inside. Callers at one moment may share it: the
   * same reader is the same snapshot.
   */
  snapshot<T>(read: (reader: Reader) => Promise<T>, options?: SnapshotOptions): Promise<T>;
  /**
   * The first row of a statement, as it is after this call: those who ask while another answer is under way share the next
   * one. Only where a snapshot costs round trips.
   */
  latest?<Row>(statement: Statement<Row>): Promise<Row | undefined>;
  /** Takes note of the position of a snapshot that somebody is shown: no later one is before it. Only where there are replicas. */
  noteShown?(position: number): void;
  /**
   * Sends a message of at most 7,999 bytes to the writer, in whatever process it is; nobody may be listening. Only where several
   * processes can share a database.
   */
  notify?(channel: string, message: string): Promise<void>;
  /**
   * Opens the writing connection, waiting for the lock that makes its holder the only one.
   * @param options.onWait called once when another holds the lock
   * @throws AbortError when `signal` fires before the lock is free
   */
  openWriter(options?: WriterOptions): Promise<Writer>;
  close(): Promise<void>;
};

/**
 * The database does not answer, or not now: the same may succeed later. A writer that throws it is of no use any more,
 * its lock may be another's already.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Where a database is. Of several servers the addresses stand in `url` with commas between them. */
export type DatabaseLocation = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string };
