/** Tables of the calendar: digests that were promised to the chain, and the trees whose roots are anchored. */

import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migrations, Query } from '../../../db/precious.ts';

/** A digest that was taken and is in no tree yet. */
export type CalendarPendingTable = {
  digest: Uint8Array;
  /** Unix milliseconds. */
  accepted_at: number;
};

/** The part of a tree that has a digest. */
export type CalendarLeafTable = { digest: Uint8Array; part: number };

/** Up to {@link LEAVES_OF_PART} neighbouring leaves of a tree: nodes above them follow from the roots of parts, those below from the digests. */
export type CalendarPartTable = {
  /** `batch × PARTS_OF_BATCH` and the place in it. */
  id: number;
  /** Root of the tree over its leaves. */
  root: Uint8Array;
  /** Its digests, ascending, 32 bytes each. */
  digests: Uint8Array;
};

/**
 * A tree. `open`: parts are still added. `sealed`: its root is fixed. `sent`: a transaction carries the root. `settled`: it is so deep in
 * the chain that it is not looked at any more.
 */
export type CalendarBatchTable = {
  id: number;
  state: 'open' | 'sealed' | 'sent' | 'settled';
  /** Leaves; 0 while it is open. */
  size: number;
  /** Hex; empty while it is open. */
  root: string;
  /** Unix milliseconds; 0 while it is open. */
  sealed_at: number;
};

export type CalendarTables = {
  calendar_pending: CalendarPendingTable;
  calendar_leaf: CalendarLeafTable;
  calendar_part: CalendarPartTable;
  calendar_batch: CalendarBatchTable;
};
export type CalendarQuery = Query<CalendarTables>;

/** A power of two: a full part is a whole subtree. */
export const LEAVES_OF_PART = 1_024;
/** Parts of a tree at most; also a power of two. */
export const PARTS_OF_BATCH = 1_024;

/** The schema. */
export const calendarMigrations: Migrations = {
  '0029_calendar': async (db: Kysely<unknown>) => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    for (const text of schema(isPostgres ? '' : ' without rowid')) await sql.raw(text).execute(db);
  },
};

/** On SQLite the two tables with a row a digest are their own index. */
function schema(withoutRowid: string): string[] {
  return [
    `create table calendar_pending (digest bytea primary key, accepted_at bigint not null)${withoutRowid}`,
    `create table calendar_leaf (digest bytea primary key, part bigint not null)${withoutRowid}`,
    'create table calendar_part (id bigint primary key, root bytea not null, digests bytea not null)',
    `create table calendar_batch (
      id bigint primary key, state text not null, size bigint not null, root text not null, sealed_at bigint not null)`,
    "create index calendar_batch_watched on calendar_batch (id) where state <> 'settled'",
  ];
}
