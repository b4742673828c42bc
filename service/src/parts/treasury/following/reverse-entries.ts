/** Takes entries back whose blocks left the chain. */

import { reopenAssignment } from '../assignments/assignment-store.ts';
import { revertCoins } from '../ledger/coin-store.ts';
import { addEntry, commitDraft, openDraft, type Place } from '../ledger/ledger-draft.ts';
import type { MovingKind } from '../ledger/ledger-rules.ts';
import { insertEntries } from '../ledger/ledger-store.ts';
import { recountStanding } from '../ledger/standing-store.ts';
import type { CursorTable, EntryTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';

/**
 * Adds a reversal for each.
 *
 * @param entries newest first
 */
export async function reverseEntries(
  trx: TreasuryQuery,
  context: TreasuryRecordContext,
  cursor: CursorTable,
  { entries, to }: { entries: readonly EntryTable[]; to: Place },
): Promise<void> {
  const nowMs = context.now();
  const draft = openDraft(cursor);
  const recount = new Set<string>();
  for (const entry of entries) {
    const amount = BigInt(entry.amount);
    draft.totals[entry.kind as MovingKind] -= amount;
    addEntry(draft, {
      ...entry,
      kind: 'reversal',
      assigned_by: null,
      amount: -amount,
      reverses: entry.sequence,
      recorded_at: nowMs,
    });
    if (entry.kind === 'contribution' && entry.assigned_by !== null) await reopenAssignment(trx, entry);
    const contributor = await revertCoins(trx, entry);
    if (contributor !== undefined) recount.add(contributor);
  }
  await insertEntries(trx, draft.rows);
  for (const contributorId of recount) await recountStanding(trx, contributorId);
  await commitDraft(trx, context, cursor, draft, {
    ...to,
    standings: cursor.standings + (recount.size > 0 ? 1 : 0),
  });
}
