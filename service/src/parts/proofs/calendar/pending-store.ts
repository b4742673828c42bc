/** Digests that were taken and wait for a tree. */

import type { CalendarQuery } from './calendar-tables.ts';

/** Rows of one statement: engines bound their parameters. */
const ROWS = 500;

/** What is known of a digest: when it was taken, or which part of a tree has it. */
export type KnownDigest = { digest: string; acceptedAt: number | undefined; part: number | undefined };

/** Those of these digests (hex) that were taken before, by their hex. */
export async function findKnown(
  db: CalendarQuery,
  digests: readonly string[],
): Promise<Map<string, KnownDigest>> {
  const known = new Map<string, KnownDigest>();
  for (const bite of bites(digests)) {
    const keys = bite.map(toBytes);
    const pending = await db.selectFrom('calendar_pending').selectAll().where('digest', 'in', keys).execute();
    for (const row of pending) {
      const digest = toHex(row.digest);
      known.set(digest, { digest, acceptedAt: Number(row.accepted_at), part: undefined });
    }
    const leaves = await db.selectFrom('calendar_leaf').selectAll().where('digest', 'in', keys).execute();
    for (const row of leaves) {
      const digest = toHex(row.digest);
      known.set(digest, { digest, acceptedAt: undefined, part: Number(row.part) });
    }
  }
  return known;
}

/** Takes digests that are not known. One that somebody else takes at the same time is there once. */
export async function insertPending(
  db: CalendarQuery,
  digests: readonly string[],
  nowMs: number,
): Promise<void> {
  // In one order: two that take the same ones wait for each other, and never both at once.
  for (const bite of bites([...digests].sort())) {
    await db
      .insertInto('calendar_pending')
      .values(bite.map((digest) => ({ digest: toBytes(digest), accepted_at: nowMs })))
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .execute();
  }
}

/** How many wait. */
export async function countPending(db: CalendarQuery): Promise<number> {
  const { count } = await db
    .selectFrom('calendar_pending')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The first that wait, by their bytes, which is the order of leaves within a part. */
export async function listPending(db: CalendarQuery, limit: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('calendar_pending')
    .select('digest')
    .orderBy('digest')
    .limit(limit)
    .execute();
  return rows.map(({ digest }) => digest);
}

/** Moves digests from those that wait to the part of a tree that has them. One that an earlier tree has stays with that. */
export async function moveToPart(
  db: CalendarQuery,
  digests: readonly Uint8Array[],
  part: number,
): Promise<void> {
  for (const bite of bites(digests)) {
    await db
      .insertInto('calendar_leaf')
      .values(bite.map((digest) => ({ digest, part })))
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .execute();
    await db.deleteFrom('calendar_pending').where('digest', 'in', bite).execute();
  }
}

function bites<T>(all: readonly T[]): T[][] {
  const found: T[][] = [];
  for (let i = 0; i < all.length; i += ROWS) found.push(all.slice(i, i + ROWS));
  return found;
}

function toBytes(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
