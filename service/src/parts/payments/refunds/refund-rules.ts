/** What becomes of a refund by what the chain and the mempool have of its transaction: a pure function. */

import { finalConfirmations } from '../judging/payment-sums.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';

/** An output of a transaction, and where that is; `scriptHash` as tables have it, `height` null in the mempool. */
export type SeenOutput = { vout: number; value: bigint; scriptHash: string };
export type SeenTx = { outputs: readonly SeenOutput[]; height: number | null };

/** What a refund is judged at. */
export type RefundMoment = {
  tipHeight: number;
  nowMs: number;
  /** Confirmations after which it is deep enough; 1 at least. */
  required: number;
  /** Outputs of the transaction that serve other refunds. */
  taken: ReadonlySet<number>;
};

/** Refunds that have a transaction, which may still change. The index `refund_watched` has the same rule. */
export function isWatched({ txid, problem, final, state }: RefundTable): boolean {
  return txid !== null && problem === null && final === 0 && state !== 'cancelled';
}

/** The output that pays a refund: of those that can, the smallest, so that larger refunds find theirs as well. */
export function findOutput(
  { amount, script_hash }: Pick<RefundTable, 'amount' | 'script_hash'>,
  outputs: readonly SeenOutput[],
  taken: ReadonlySet<number>,
): number | undefined {
  const least = BigInt(amount);
  const fitting = outputs
    .filter(({ vout, value, scriptHash }) => scriptHash === script_hash && value >= least && !taken.has(vout))
    .sort((a, b) => (a.value === b.value ? a.vout - b.vout : a.value < b.value ? -1 : 1));
  return fitting[0]?.vout;
}

/**
 * The refund as it is by a look at its transaction. Looking twice changes nothing.
 *
 * @param tx undefined when neither chain nor mempool has it: unknown as long as it was never seen, gone afterwards
 */
export function judgeRefund(refund: RefundTable, tx: SeenTx | undefined, moment: RefundMoment): RefundTable {
  if (!isWatched(refund)) return refund;
  if (tx === undefined) {
    if (refund.seen === 0) return refund;
    return { ...refund, state: 'gone', height: null, confirmed_at: null };
  }
  const vout = refund.vout ?? findOutput(refund, tx.outputs, moment.taken);
  if (vout === undefined) {
    return { ...refund, state: 'gone', seen: 1, height: null, problem: 'output_missing' };
  }
  const confirmations = tx.height === null ? 0 : moment.tipHeight - tx.height + 1;
  const isDeep = confirmations >= moment.required;
  return {
    ...refund,
    state: isDeep ? 'confirmed' : 'sent',
    vout,
    seen: 1,
    height: tx.height,
    final: confirmations >= Math.max(finalConfirmations, moment.required) ? 1 : 0,
    confirmed_at: isDeep ? (refund.confirmed_at ?? moment.nowMs) : null,
  };
}

/** Whether merchants are told of a change: of another state, and when what was named is seen first. */
export function isNews(before: RefundTable, after: RefundTable): boolean {
  return before.state !== after.state || before.seen !== after.seen;
}

/** Confirmations after which a refund of a payment is confirmed: as many as the payment asked for, one at least. */
export function confirmationsOf({
  confirmations_required,
}: Pick<PaymentTable, 'confirmations_required'>): number {
  return Math.max(1, confirmations_required);
}
