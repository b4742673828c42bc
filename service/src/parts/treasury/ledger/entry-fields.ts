import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { EntryFields } from '@coinfront/protocol/treasury/ledger-entry.ts';
import type { EntryTable } from '../schema/treasury-tables.ts';
import { writeTime } from '../write-time.ts';

type ShownFields = Required<EntryFields> & Pick<EntryTable, 'kind' | 'reason' | 'assigned_by'>;

/** What of an entry never changes, as it is shown and sealed. */
export function entryFields(row: EntryTable, decimals: number): ShownFields {
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
    late: row.late === 1,
    reason: row.reason,
    reverses: row.reverses,
    assigned_by: row.assigned_by,
    refers_to: row.refers_to,
    purpose: row.purpose,
    payee: row.payee,
  };
}
