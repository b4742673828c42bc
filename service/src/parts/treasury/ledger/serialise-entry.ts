import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { writeTime } from '../contributors/serialise-contributor.ts';
import { firstUnverifiedHeight } from './ledger-rules.ts';
import type { ListedEntry } from './ledger-store.ts';

/** What an entry is shown with. */
export type EntryState = {
  tipHeight: number;
  confirmations: number;
  decimals: number;
  display: LedgerEntryJson['contributor'];
};

/** An entry of the ledger as everybody sees it. */
export function serialiseEntry(
  row: ListedEntry,
  { tipHeight, confirmations, decimals, display }: EntryState,
): LedgerEntryJson {
  const isCancelled = row.reversed_by !== null || row.kind === 'reversal';
  const isDeep = row.height < firstUnverifiedHeight(tipHeight, confirmations);
  return {
    sequence: row.sequence,
    kind: row.kind,
    amount: formatAmount(BigInt(row.amount), decimals),
    balance: formatAmount(BigInt(row.balance), decimals),
    txid: row.txid,
    vout: row.vout,
    height: row.height,
    block_hash: row.block_hash,
    block_time: writeTime(row.block_time),
    recorded_at: writeTime(row.recorded_at),
    confirmations: isCancelled ? 0 : Math.max(0, tipHeight - row.height + 1),
    state: isCancelled ? 'reversed' : isDeep ? 'verified' : 'confirming',
    contributor: display,
    late: row.late === 1,
    reason: row.reason,
    reverses: row.reverses,
    reversed_by: row.reversed_by,
  };
}
