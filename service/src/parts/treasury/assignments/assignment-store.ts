/** Rows of what was said of whose gifts are. */

import type { AssignmentTable, CoinTable, EntryTable, TreasuryQuery } from '../schema/treasury-tables.ts';

/** Says whose a gift is, unless somebody has said so before; gives what holds. */
export async function insertAssignment(
  db: TreasuryQuery,
  row: Omit<AssignmentTable, 'is_applied'>,
): Promise<AssignmentTable> {
  await db
    .insertInto('treasury_assignment')
    .values({ ...row, is_applied: 0 })
    .onConflict((conflict) => conflict.columns(['txid', 'vout']).doNothing())
    .execute();
  return await db
    .selectFrom('treasury_assignment')
    .selectAll()
    .where('txid', '=', row.txid)
    .where('vout', '=', row.vout)
    .executeTakeFirstOrThrow();
}

/** What the ledger does not say yet, with the entries by which it is nobody's. */
export type WaitingAssignment = { assignment: AssignmentTable; entry: EntryTable };

function selectWaiting(db: TreasuryQuery) {
  return db
    .selectFrom('treasury_assignment as assignment')
    .innerJoin('treasury_coin as coin', (join) =>
      join.onRef('coin.txid', '=', 'assignment.txid').onRef('coin.vout', '=', 'assignment.vout'),
    )
    .where('assignment.is_applied', '=', 0)
    .where('coin.kind', '=', 'unattributed' satisfies CoinTable['kind']);
}

/** Whether there is something that the ledger does not say yet. */
export async function hasWaitingAssignments(db: TreasuryQuery): Promise<boolean> {
  const row = await selectWaiting(db).select('assignment.txid').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** What the ledger does not say yet, the first of it. */
export async function listWaitingAssignments(db: TreasuryQuery, limit: number): Promise<WaitingAssignment[]> {
  const rows = await selectWaiting(db)
    .selectAll('assignment')
    .select('coin.sequence')
    .orderBy('assignment.made_at')
    .orderBy('assignment.txid')
    .orderBy('assignment.vout')
    .limit(limit)
    .execute();
  const waiting: WaitingAssignment[] = [];
  for (const { sequence, ...assignment } of rows) {
    const entry = await db
      .selectFrom('treasury_entry')
      .selectAll()
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow();
    waiting.push({ assignment, entry });
  }
  return waiting;
}

/** The ledger says so. */
export async function closeAssignment(
  db: TreasuryQuery,
  place: Pick<AssignmentTable, 'txid' | 'vout'>,
): Promise<void> {
  await setApplied(db, place.txid, place.vout, 1);
}

/** The block of the gift has left the chain: the ledger will have to say it again. */
export async function reopenAssignment(
  db: TreasuryQuery,
  { txid, vout }: Pick<EntryTable, 'txid' | 'vout'>,
): Promise<void> {
  await setApplied(db, txid, vout!, 0);
}

async function setApplied(db: TreasuryQuery, txid: string, vout: number, is_applied: number): Promise<void> {
  await db
    .updateTable('treasury_assignment')
    .set({ is_applied })
    .where('txid', '=', txid)
    .where('vout', '=', vout)
    .execute();
}
