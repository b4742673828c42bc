/** Makes entries of what was said: whose gifts are that no intent had, and what spends were for. */

import { assignCoin, listWaiting } from '../ledger/coin-store.ts';
import { addEntry, commitDraft, type Draft, openDraft } from '../ledger/ledger-draft.ts';
import { firstUnverifiedHeight } from '../ledger/ledger-rules.ts';
import { findSpend, insertEntries } from '../ledger/ledger-store.ts';
import { verifyCoin } from '../ledger/standing-store.ts';
import type { CursorTable, EntryTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';
import { closeAssignment, listWaitingAssignments, type WaitingAssignment } from './assignment-store.ts';
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
  for (const waiting of await listWaitingAssignments(trx, AT_ONCE)) {
    assigned.push(assign(draft, waiting, nowMs));
    await closeAssignment(trx, waiting.assignment);
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
  if (draft.rows.length === 0) return false;
  await insertEntries(trx, draft.rows);
  for (const entry of assigned) await assignCoin(trx, entry);
  const deep = await listWaiting(trx, firstUnverifiedHeight(cursor.height, context.treasury.confirmations));
  for (const coin of deep) await verifyCoin(trx, coin, nowMs);
  const { height, hash } = cursor;
  await commitDraft(trx, context, cursor, draft, {
    ...{ height, hash },
    standings: cursor.standings + (deep.length > 0 ? 1 : 0),
  });
  return true;
}

/** Takes back the entry by which it is nobody's, and adds the one that says whose it is. */
function assign(draft: Draft, { assignment, entry }: WaitingAssignment, nowMs: number): EntryTable {
  const amount = BigInt(entry.amount);
  draft.totals.unattributed -= amount;
  draft.totals.contribution += amount;
  const taken = { amount: -amount, kind: 'reversal' as const, reverses: entry.sequence };
  addEntry(draft, { ...entry, ...taken, recorded_at: nowMs });
  const { contributor_id, assigned_by } = assignment;
  return addEntry(draft, {
    ...{ ...entry, amount, kind: 'contribution' as const, reason: null },
    ...{ contributor_id, assigned_by, recorded_at: nowMs },
  });
}
