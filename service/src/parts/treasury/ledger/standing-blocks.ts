/** Reads what stands of the ledger, block by block from above: what a reorganisation may have to take back. */

import type { EntryTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import type { Place } from './ledger-draft.ts';

/** What moved something and was not taken back, of whole blocks, the highest block first. */
export type Standing = {
  entries: readonly EntryTable[];
  /** The highest block of what stands below them; undefined when nothing does. */
  next: Place | undefined;
};

function selectStanding(db: TreasuryQuery) {
  return db
    .selectFrom('treasury_entry as entry')
    .leftJoin('treasury_entry as taker', 'taker.reverses', 'entry.sequence')
    .selectAll('entry')
    .where('entry.kind', 'not in', ['reversal', 'note'])
    .where('taker.sequence', 'is', null)
    .orderBy('entry.height', 'desc')
    .orderBy('entry.sequence', 'desc');
}

/**
 * The highest blocks of what stands, down to the one with the entry of number `atLeast` from above. What was assigned stands behind entries
 * of later blocks.
 */
export async function listStanding(db: TreasuryQuery, atLeast: number): Promise<Standing> {
  const entries = await selectStanding(db).limit(atLeast).execute();
  const last = entries.at(-1);
  if (last === undefined || entries.length < atLeast) return { entries, next: undefined };
  const rest = await selectStanding(db)
    .where('entry.height', '=', last.height)
    .where('entry.sequence', '<', last.sequence)
    .execute();
  const next = await selectStanding(db).where('entry.height', '<', last.height).limit(1).executeTakeFirst();
  return {
    entries: [...entries, ...rest],
    next: next && { height: next.height, hash: next.block_hash },
  };
}
