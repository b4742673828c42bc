/** Makes entries of what was said: whose gifts are that no intent had, or are not, and what spends were for. */

import { assignCoin, listWaiting } from '../ledger/coin-store.ts';
import { addEntry, commitDraft, type Draft, openDraft } from '../ledger/ledger-draft.ts';
import { firstUnverifiedHeight, type MovingKind } from '../ledger/ledger-rules.ts';
import { findGift, findSpend, insertEntries } from '../ledger/ledger-store.ts';
import { recountStanding, verifyCoin } from '../ledger/standing-store.ts';
import {
  type AssignmentTable,
  assignmentStates,
  type CursorTable,
  type EntryTable,
  type TreasuryQuery,
} from '../schema/treasury-tables.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';
import { closeAssignment, forgetAssignment, listWaitingAssignments } from './assignment-store.ts';
import { closeNote, listWaitingNotes } from './note-store.ts';

const AT_ONCE = 50;

/**
 * Writes some of it; the caller holds the cursor.
 *
 * @returns whether anything was written
 */
export async function applySayings(
  trx: TreasuryQuery,
  context: TreasuryRecordContext,
  cursor: CursorTable,
): Promise<boolean> {
  const nowMs = context.now();
  const draft = openDraft(cursor);
  const assigned: EntryTable[] = [];
  const recount = new Set<string>();
  const waiting = await listWaitingAssignments(trx, AT_ONCE);
  for (const { assignment, entry } of waiting) {
    if (assignment.is_applied === assignmentStates.waiting) {
      assigned.push(assign(draft, assignment, entry, nowMs));
      await closeAssignment(trx, assignment);
      continue;
    }
    // An assignment that the ledger never had, or whose output an intent has now, is only forgotten.
    if (entry.kind === 'contribution' && entry.assigned_by !== null) {
      recount.add(entry.contributor_id!);
      assigned.push(withdraw(draft, entry, await findGift(trx, entry), nowMs));
    }
    await forgetAssignment(trx, assignment);
  }
  for (const note of await listWaitingNotes(trx, AT_ONCE)) {
    const spend = await findSpend(trx, note.txid);
    if (spend === undefined)
      throw new Error(`a note is about ${note.txid}, which spends nothing of the treasury`);
    const { purpose, payee } = note;
    const more = { amount: 0n, kind: 'note' as const, refers_to: spend.sequence, purpose, payee };
    const { sequence } = addEntry(draft, { ...spend, ...more, reverses: null, recorded_at: nowMs });
    await closeNote(trx, note, sequence);
  }
  if (draft.rows.length === 0) return waiting.length > 0;
  await insertEntries(trx, draft.rows);
  for (const entry of assigned) await assignCoin(trx, entry);
  for (const contributorId of recount) await recountStanding(trx, contributorId);
  const deep = await listWaiting(trx, firstUnverifiedHeight(cursor.height, context.treasury.confirmations));
  for (const coin of deep) await verifyCoin(trx, coin, nowMs);
  const { height, hash } = cursor;
  await commitDraft(trx, context, cursor, draft, {
    ...{ height, hash },
    standings: cursor.standings + (deep.length + recount.size > 0 ? 1 : 0),
  });
  return true;
}

/** Takes back the entry by which it is nobody's, and adds the one that says whose it is. */
function assign(
  draft: Draft,
  { contributor_id, assigned_by }: AssignmentTable,
  entry: EntryTable,
  nowMs: number,
): EntryTable {
  return replace(draft, entry, { kind: 'contribution', reason: null, contributor_id, assigned_by }, nowMs);
}

/** Takes back the entry by which it is somebody's, and adds the one by which it is nobody's, by the operator's word. */
function withdraw(draft: Draft, entry: EntryTable, { reason }: EntryTable, nowMs: number): EntryTable {
  const nobodys = { reason, contributor_id: null, assigned_by: 'operator' as const };
  return replace(draft, entry, { kind: 'unattributed', ...nobodys }, nowMs);
}

function replace(
  draft: Draft,
  entry: EntryTable,
  said: Pick<EntryTable, 'reason' | 'contributor_id' | 'assigned_by'> & {
    kind: 'contribution' | 'unattributed';
  },
  nowMs: number,
): EntryTable {
  const amount = BigInt(entry.amount);
  draft.totals[entry.kind as MovingKind] -= amount;
  draft.totals[said.kind] += amount;
  const taken = { amount: -amount, kind: 'reversal' as const, reverses: entry.sequence, assigned_by: null };
  addEntry(draft, { ...entry, ...taken, recorded_at: nowMs });
  return addEntry(draft, { ...entry, ...said, amount, recorded_at: nowMs });
}
