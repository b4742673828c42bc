import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';
import { entryFields } from './entry-fields.ts';
import { firstUnverifiedHeight } from './ledger-rules.ts';
import { isSealed, type ListedEntry } from './ledger-store.ts';
import { describeSeal } from './seal-entries.ts';

/** What an entry is shown with. */
export type EntryState = {
  tipHeight: number;
  confirmations: number;
  decimals: number;
  display: LedgerEntryJson['contributor'];
};

function noteOf({ note_sequence, note_purpose, note_payee }: ListedEntry): LedgerEntryJson['note'] {
  if (note_sequence === null || note_purpose === null || note_payee === null) return null;
  return { sequence: note_sequence, purpose: note_purpose, payee: note_payee };
}

/** The block in which an entry stands. What is said of a spend stands where the spend does. */
function heightOf({ kind, height, reversed_by, spend_height }: ListedEntry): number | undefined {
  if (kind === 'note') return spend_height ?? undefined;
  return reversed_by !== null || kind === 'reversal' ? undefined : height;
}

/** An entry of the ledger as everybody sees it. */
export function serialiseEntry(
  row: ListedEntry,
  { tipHeight, confirmations, decimals, display }: EntryState,
): LedgerEntryJson {
  const height = heightOf(row);
  const isDeep = height !== undefined && height < firstUnverifiedHeight(tipHeight, confirmations);
  return {
    ...entryFields(row, decimals),
    confirmations: height === undefined ? 0 : Math.max(0, tipHeight - height + 1),
    state: height === undefined ? 'reversed' : isDeep ? 'verified' : 'confirming',
    contributor: display,
    reversed_by: row.reversed_by,
    note: noteOf(row),
    seal: isSealed(row) ? describeSeal(row, row) : null,
  };
}
