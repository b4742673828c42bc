/** What has to be true of one entry of the ledger, by the rows beside it: pure. */

import type { MaybeSealed } from '../ledger/ledger-store.ts';
import type { EntryTable } from '../schema/treasury-tables.ts';

/** The coin at an entry's outpoint; its columns have names of their own, for the row has the entry's too. */
export type JoinedCoin = {
  coin_sequence: number | null;
  coin_value: string | null;
  coin_kind: string | null;
  coin_height: number | null;
  coin_block_hash: string | null;
  coin_contributor_id: string | null;
  coin_intent_id: string | null;
  coin_late: number | null;
  coin_verified_at: number | null;
  coin_spent_by: number | null;
};

/** An entry with the one that it takes back, the one that takes it back, the owner of its intent, its coin, and its seal. */
export type AuditedEntry = EntryTable &
  MaybeSealed &
  JoinedCoin & {
    reversed_by: number | null;
    taken_amount: string | null;
    taken_kind: string | null;
    taken_txid: string | null;
    taken_contributor_id: string | null;
    intent_owner: string | null;
  };

/** Whether an entry says what is in the treasury: it came in, and was not taken back. */
export function holdsCoin({ kind, reversed_by }: Pick<AuditedEntry, 'kind' | 'reversed_by'>): boolean {
  return reversed_by === null && kind !== 'spend' && kind !== 'fee' && kind !== 'reversal' && kind !== 'note';
}

/** What is wrong with an entry. */
export function checkEntry(entry: AuditedEntry, before: { sequence: number; balance: bigint }): string[] {
  const faults: string[] = [];
  const { sequence, kind, amount, contributor_id, intent_id, intent_owner } = entry;
  const fault = (what: string) => faults.push(`Entry ${sequence}: ${what}.`);
  if (sequence !== before.sequence + 1) fault(`it follows ${before.sequence}; entries are gone`);
  if (BigInt(entry.balance) !== before.balance + BigInt(amount)) fault('its balance is not the sum up to it');
  if (intent_id !== null && intent_owner !== contributor_id)
    fault(
      `it is credited to ${contributor_id ?? 'nobody'}, and its intent ${intent_id} is of ${intent_owner ?? 'nobody'}`,
    );
  if (kind === 'contribution' && intent_id === null && entry.assigned_by === null)
    fault('it is a contribution without an intent');
  if (kind === 'note' && BigInt(amount) !== 0n) fault('it is a note that moves something');
  if (kind === 'reversal') {
    const isOpposite =
      entry.taken_amount !== null &&
      BigInt(entry.taken_amount) === -BigInt(amount) &&
      entry.taken_txid === entry.txid &&
      entry.taken_contributor_id === contributor_id &&
      entry.taken_kind !== 'reversal';
    if (!isOpposite) fault(`it is not the opposite of entry ${entry.reverses}, which it takes back`);
  }
  if (holdsCoin(entry)) {
    const isSame =
      entry.coin_sequence === sequence &&
      entry.coin_value === amount &&
      entry.coin_kind === kind &&
      entry.coin_height === entry.height &&
      entry.coin_block_hash === entry.block_hash &&
      entry.coin_contributor_id === contributor_id &&
      entry.coin_intent_id === intent_id &&
      entry.coin_late === entry.late;
    if (!isSame) fault('the coin that is kept for it is missing, or another');
  }
  return faults;
}
