/** Rows of seals. */

import type { EntryTable, SealTable, TreasuryQuery } from '../schema/treasury-tables.ts';

const CHUNK = 200;

/** Adds seals. */
export async function insertSeals(db: TreasuryQuery, rows: readonly SealTable[]): Promise<void> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    await db
      .insertInto('treasury_seal')
      .values(rows.slice(start, start + CHUNK))
      .execute();
  }
}

/** The newest seal. */
export async function findLastSeal(db: TreasuryQuery): Promise<SealTable | undefined> {
  return await db
    .selectFrom('treasury_seal')
    .selectAll()
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Entries above a number, oldest first, as they are sealed. */
export async function listUnsealed(db: TreasuryQuery, above: number, limit: number): Promise<EntryTable[]> {
  return await db
    .selectFrom('treasury_entry')
    .selectAll()
    .where('sequence', '>', above)
    .orderBy('sequence')
    .limit(limit)
    .execute();
}
