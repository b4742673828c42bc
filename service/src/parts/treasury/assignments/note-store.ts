/** Rows of what the operator says of spends. */

import type { NoteTable, TreasuryQuery } from '../schema/treasury-tables.ts';

/** Says what a spend was for; what was said before holds until the ledger has an entry of it. */
export async function putNote(db: TreasuryQuery, note: Omit<NoteTable, 'sequence'>): Promise<void> {
  await db
    .insertInto('treasury_note')
    .values({ ...note, sequence: null })
    .onConflict((conflict) => conflict.column('txid').doUpdateSet({ ...note, sequence: null }))
    .execute();
}

/** Whether there is a note that the ledger has no entry of. */
export async function hasWaitingNotes(db: TreasuryQuery): Promise<boolean> {
  return (await listWaitingNotes(db, 1)).length > 0;
}

/** Notes that the ledger has no entry of, the first of them. */
export async function listWaitingNotes(db: TreasuryQuery, limit: number): Promise<NoteTable[]> {
  return await db
    .selectFrom('treasury_note')
    .selectAll()
    .where('sequence', 'is', null)
    .orderBy('txid')
    .limit(limit)
    .execute();
}

/** Names the entry of a note; one that was put in its place meanwhile still waits. */
export async function closeNote(
  db: TreasuryQuery,
  { txid, made_at }: Pick<NoteTable, 'txid' | 'made_at'>,
  sequence: number,
): Promise<void> {
  await db
    .updateTable('treasury_note')
    .set({ sequence })
    .where('txid', '=', txid)
    .where('made_at', '=', made_at)
    .execute();
}
