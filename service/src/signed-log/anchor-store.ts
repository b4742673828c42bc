/** Which checkpoints of a log were given to the chain. */

import type { SignedLogQuery } from './log-tables.ts';

/** A checkpoint whose digest was given to the chain. */
export type AskedAnchor = { size: number; digest: string };

/** Remembers that a digest was given to the chain; once is enough. */
export async function insertAnchor(
  db: SignedLogQuery,
  anchor: AskedAnchor & { origin: string },
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('signed_log_anchor')
    .values({ ...anchor, asked_at: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The smallest anchored checkpoint of at least so many entries. */
export async function findAnchorFrom(
  db: SignedLogQuery,
  origin: string,
  size: number,
): Promise<AskedAnchor | undefined> {
  const [anchor] = await listAnchorsFrom(db, origin, size, 1);
  return anchor;
}

/** Anchored checkpoints of at least so many entries, smallest first. */
export async function listAnchorsFrom(
  db: SignedLogQuery,
  origin: string,
  size: number,
  limit: number,
): Promise<AskedAnchor[]> {
  const rows = await db
    .selectFrom('signed_log_anchor')
    .select(['size', 'digest'])
    .where('origin', '=', origin)
    .where('size', '>=', size)
    .orderBy('size')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ size: Number(row.size), digest: row.digest }));
}
