/** What a transaction of the chain adds to the ledger, and how sums follow from entries: pure. */

import { type EntryKind, entryKinds, type UnattributedReason } from '@coinfront/api/treasury.ts';
import type { Attribution } from '../attribution/attribution-rules.ts';

/** A transaction of a block that pays the treasury or spends coins of it. */
export type Movement = {
  txid: string;
  height: number;
  blockHash: string;
  blockTimeMs: number;
  /** Coins of the treasury that its inputs spend. */
  spent: readonly { txid: string; vout: number; value: bigint }[];
  /** Whether every input does: only then is its fee the treasury's. */
  spendsOnlyTreasury: boolean;
  fee: bigint;
};

/** An entry before it has a number. Amounts are signed. */
export type NewEntry = {
  kind: EntryKind;
  amount: bigint;
  vout: number | null;
  contributorId: string | null;
  intentId: string | null;
  late: boolean;
  reason: UnattributedReason | null;
};

const plain = { contributorId: null, intentId: null, late: false, reason: null };

/**
 * The entries of a transaction: what goes out first, then each output that comes in. The sum of all entries is what the
 * transaction changes in the unspent outputs of the treasury, whatever they are called.
 */
export function describeMovement(movement: Movement, attributions: readonly Attribution[]): NewEntry[] {
  const entries: NewEntry[] = [];
  if (movement.spent.length > 0) {
    const sum = movement.spent.reduce((total, { value }) => total + value, 0n);
    const fee = movement.spendsOnlyTreasury ? movement.fee : 0n;
    entries.push({ ...plain, kind: 'spend', amount: fee - sum, vout: null });
    if (fee > 0n) entries.push({ ...plain, kind: 'fee', amount: -fee, vout: null });
  }
  for (const each of attributions) {
    entries.push({
      ...plain,
      kind: each.kind,
      amount: each.value,
      vout: each.vout,
      ...(each.kind === 'contribution'
        ? { contributorId: each.intent.contributorId, intentId: each.intent.id, late: each.late }
        : {}),
      ...(each.kind === 'unattributed' ? { reason: each.reason } : {}),
    });
  }
  return entries;
}

/** Kinds that a reversal can take back. */
export type MovingKind = Exclude<EntryKind, 'reversal' | 'note'>;
/**
 * Sum of the entries of each kind, without those that were taken back; what goes out is negative. `waiting` is the part of
 * the contributions that has too few confirmations.
 */
export type LedgerTotals = Record<MovingKind | 'waiting', bigint>;

/** Sums of an empty ledger. */
export function emptyTotals(): LedgerTotals {
  const kinds = entryKinds.filter((kind) => kind !== 'reversal' && kind !== 'note');
  return Object.fromEntries([...kinds, 'waiting'].map((kind) => [kind, 0n])) as LedgerTotals;
}

/** Reads sums as they are stored. */
export function readTotals(text: string): LedgerTotals {
  const stored = JSON.parse(text) as Record<string, string>;
  const totals = emptyTotals();
  for (const kind of Object.keys(totals) as (keyof LedgerTotals)[])
    totals[kind] = BigInt(stored[kind] ?? '0');
  return totals;
}

/** Writes sums as they are stored. */
export function writeTotals(totals: LedgerTotals): string {
  return JSON.stringify(Object.fromEntries(Object.entries(totals).map(([kind, sum]) => [kind, String(sum)])));
}

/** Height from which on blocks do not have enough confirmations yet. */
export function firstUnverifiedHeight(tipHeight: number, confirmations: number): number {
  return tipHeight - confirmations + 2;
}

const TOTAL_DIGITS = 40;

/** A sum with leading zeros, so that text sorts as numbers do. */
export function padTotal(total: bigint): string {
  return String(total).padStart(TOTAL_DIGITS, '0');
}
