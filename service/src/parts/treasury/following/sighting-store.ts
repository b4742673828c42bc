/** When each transaction that concerns the treasury was seen first. */

import type { FirstSeen } from '../attribution/attribution-rules.ts';
import type { SightingTable, TreasuryQuery } from '../schema/treasury-tables.ts';

const CHUNK = 200;

/** Remembers sightings; an earlier one of the same transaction stays. */
export async function insertSightings(db: TreasuryQuery, rows: readonly SightingTable[]): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    await db
      .insertInto('treasury_sighting')
      .values(rows.slice(start, start + CHUNK))
      .onConflict((conflict) => conflict.column('txid').doNothing())
      .execute();
  }
}

/** The sightings of these transactions, by txid. */
export async function listSightings(
  db: TreasuryQuery,
  txids: readonly string[],
): Promise<Map<string, SightingTable>> {
  const found = new Map<string, SightingTable>();
  for (let start = 0; start < txids.length; start += CHUNK) {
    const rows = await db
      .selectFrom('treasury_sighting')
      .selectAll()
      .where('txid', 'in', txids.slice(start, start + CHUNK))
      .execute();
    for (const row of rows) found.set(row.txid, row);
  }
  return found;
}

/**
 * Forgets transactions that only the mempool had, long ago, and that no block ever brought: strangers make them at little
 * cost, and no intent of that time is open any more.
 */
export async function pruneSightings(db: TreasuryQuery, seenBeforeMs: number): Promise<void> {
  await db
    .deleteFrom('treasury_sighting')
    .where('first_version', 'is', null)
    .where('first_seen_at', '<', seenBeforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('treasury_entry')
            .select('treasury_entry.sequence')
            .whereRef('treasury_entry.txid', '=', 'treasury_sighting.txid'),
        ),
      ),
    )
    .execute();
}

/** A sighting as the rules know it. */
export function firstSeenOf({ first_seen_at, first_version }: SightingTable): FirstSeen {
  return { atMs: first_seen_at, version: first_version ?? undefined };
}
