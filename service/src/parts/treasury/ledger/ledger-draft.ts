/** Entries that are about to be added: each has the number and the balance that follow from the one before. */

import type { CursorTable, EntryTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';
import { sumWaiting } from './coin-store.ts';
import { type LedgerTotals, readTotals, writeTotals } from './ledger-rules.ts';
import { moveCursor } from './ledger-store.ts';
import { sealEntries } from './seal-entries.ts';

/** A block. */
export type Place = { height: number; hash: string };

/** What a commit adds, and the sums after it. */
export type Draft = { rows: EntryTable[]; sequence: number; balance: bigint; totals: LedgerTotals };

/** Begins where the ledger ends. */
export function openDraft(cursor: CursorTable): Draft {
  return {
    rows: [],
    sequence: cursor.sequence,
    balance: BigInt(cursor.balance),
    totals: readTotals(cursor.totals),
  };
}

/** What most entries do not say. */
const unsaid = { assigned_by: null, refers_to: null, purpose: null, payee: null };

/** Adds an entry; gives its row. */
export function addEntry(
  draft: Draft,
  entry: Omit<EntryTable, keyof typeof unsaid | 'sequence' | 'amount' | 'balance'> &
    Partial<Pick<EntryTable, keyof typeof unsaid>> & { amount: bigint },
): EntryTable {
  draft.sequence += 1;
  draft.balance += entry.amount;
  const row: EntryTable = {
    ...unsaid,
    ...entry,
    sequence: draft.sequence,
    amount: String(entry.amount),
    balance: String(draft.balance),
  };
  draft.rows.push(row);
  return row;
}

/** Seals the entries, which are stored already, and moves the cursor behind them. */
export async function commitDraft(
  trx: TreasuryQuery,
  { signer, profile }: Pick<TreasuryRecordContext, 'signer' | 'profile'>,
  cursor: CursorTable,
  { sequence, balance, totals }: Draft,
  to: Place & { standings: number },
): Promise<void> {
  await sealEntries(trx, { signer, ...profile });
  totals.waiting = await sumWaiting(trx);
  await moveCursor(trx, cursor, { ...to, sequence, balance: String(balance), totals: writeTotals(totals) });
}
