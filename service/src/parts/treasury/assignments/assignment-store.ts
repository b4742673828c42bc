/** Rows of what was said of whose gifts are. */

import { sql } from 'kysely';
import {
  type AssignmentTable,
  assignmentStates,
  type CoinTable,
  type EntryTable,
  type TreasuryQuery,
} from '../schema/treasury-tables.ts';

/** Says whose a gift is, unless somebody has said so before; gives what holds. */
export async function insertAssignment(
  db: TreasuryQuery,
  row: Omit<AssignmentTable, 'is_applied'>,
): Promise<AssignmentTable> {
  await db
    .insertInto('treasury_assignment')
    .values({ ...row, is_applied: assignmentStates.waiting })
    .onConflict((conflict) => conflict.columns(['txid', 'vout']).doNothing())
    .execute();
  return await db
    .selectFrom('treasury_assignment')
    .selectAll()
    .where('txid', '=', row.txid)
    .where('vout', '=', row.vout)
    .executeTakeFirstOrThrow();
}

/** Says that a gift is not whose it was said to be; false where nobody had said whose it is. */
export async function withdrawAssignment(
  db: TreasuryQuery,
  { txid, vout }: Pick<AssignmentTable, 'txid' | 'vout'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('treasury_assignment')
    .set({ is_applied: assignmentStates.withdrawn })
    .where('txid', '=', txid)
    .where('vout', '=', vout)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What the ledger does not say yet or has to take back, with the entries that say whose it is now. */
export type WaitingAssignment = { assignment: AssignmentTable; entry: EntryTable };

function selectWaiting(db: TreasuryQuery) {
  return (
    db
      .selectFrom('treasury_assignment as assignment')
      .innerJoin('treasury_coin as coin', (join) =>
        join.onRef('coin.txid', '=', 'assignment.txid').onRef('coin.vout', '=', 'assignment.vout'),
      )
      // As the index has it, word for word.
      .where('assignment.is_applied', '<>', sql.lit(assignmentStates.applied))
      .where(({ or, eb }) =>
        or([
          eb('coin.kind', '=', 'unattributed' satisfies CoinTable['kind']),
          eb('assignment.is_applied', '=', assignmentStates.withdrawn),
        ]),
      )
  );
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

/** The ledger says so; what was withdrawn meanwhile stays withdrawn. */
export async function closeAssignment(db: TreasuryQuery, place: OutputName): Promise<void> {
  await moveAssignment(db, place, 'waiting', 'applied');
}

/** The block of the gift has left the chain: the ledger will have to say it again. */
export async function reopenAssignment(db: TreasuryQuery, place: OutputName): Promise<void> {
  await moveAssignment(db, place, 'applied', 'waiting');
}

/** The ledger has taken it back: whoever sent the gift, or the operator, may say anew whose it is. */
export async function forgetAssignment(db: TreasuryQuery, { txid, vout }: OutputName): Promise<void> {
  await db
    .deleteFrom('treasury_assignment')
    .where('txid', '=', txid)
    .where('vout', '=', vout!)
    .where('is_applied', '=', assignmentStates.withdrawn)
    .execute();
}

type OutputName = Pick<EntryTable, 'txid' | 'vout'>;
type State = keyof typeof assignmentStates;

async function moveAssignment(
  db: TreasuryQuery,
  { txid, vout }: OutputName,
  from: State,
  to: State,
): Promise<void> {
  await db
    .updateTable('treasury_assignment')
    .set({ is_applied: assignmentStates[to] })
    .where('txid', '=', txid)
    .where('vout', '=', vout!)
    .where('is_applied', '=', assignmentStates[from])
    .execute();
}
