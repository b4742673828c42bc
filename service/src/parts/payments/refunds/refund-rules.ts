/** What becomes of a refund by what the chain and the mempool have of its transaction: a pure function. */

import type { RefundProblem } from '@coinfront/api/refunds.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { finalConfirmations } from '../judging/payment-sums.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';

/** Never-seen transactions are watched so long after they were named. */
export const unseenWatchMs = 14 * 24 * 3_600_000;

/** An output of a transaction. */
export type SeenOutput = { value: bigint; script: Uint8Array };
/** A transaction that is there; `height` null in the mempool. Its outputs are read only where they matter. */
export type SeenTx = { height: number | null; readOutputs(): readonly SeenOutput[] };

/** What a refund is judged at. */
export type RefundMoment = {
  tipHeight: number;
  nowMs: number;
  /** Confirmations after which it is deep enough; 1 at least. */
  required: number;
  /** Tip when the payment was made: what goes back of it is mined above. */
  createdHeight: number;
  /** Whether the transaction paid the payment. */
  isPayment: boolean;
  /** Outputs of the transaction that serve other refunds. */
  taken: ReadonlySet<number>;
  /** The script of the refund's address. */
  readScript(): Uint8Array;
};

/** Refunds that have a transaction, which may still change. The index `refund_watched` has the same rule. */
export function isWatched({ txid, problem, final, state }: RefundTable): boolean {
  return txid !== null && problem === null && final === 0 && state !== 'cancelled';
}

/** The output that pays a refund: of those that can, the smallest, so that larger refunds find theirs as well. */
export function findOutput(
  least: bigint,
  script: Uint8Array,
  outputs: readonly SeenOutput[],
  taken: ReadonlySet<number>,
): number | undefined {
  const fitting = outputs
    .map((output, vout) => ({ ...output, vout }))
    .filter((output) => output.value >= least && equalBytes(output.script, script) && !taken.has(output.vout))
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
  const vout = refund.vout ?? findPaying(refund, tx, moment);
  if (typeof vout !== 'number') {
    return { ...refund, state: 'gone', seen: 1, height: null, problem: vout };
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

/** Asked once of a transaction: a block that has it later may be lower by a reorganisation. */
function findPaying({ amount }: RefundTable, tx: SeenTx, moment: RefundMoment): number | RefundProblem {
  const { isPayment, createdHeight, readScript, taken } = moment;
  if (isPayment || (tx.height !== null && tx.height <= createdHeight)) return 'not_a_refund';
  return findOutput(BigInt(amount), readScript(), tx.readOutputs(), taken) ?? 'output_missing';
}

/** The refund with another transaction, of which nothing is known yet. */
export function nameTx(refund: RefundTable, txid: string): RefundTable {
  const earlier = namesOf(refund).filter((name) => name !== txid);
  return {
    ...refund,
    ...{ state: 'sent', txid, earlier: JSON.stringify(earlier) },
    ...{ vout: null, seen: 0, height: null, problem: null, final: 0, confirmed_at: null },
  };
}

/** All transactions that were named and may pay a refund, the latest last; what was seen not to pay it is none of them. */
export function namesOf({ txid, problem, earlier }: RefundTable): string[] {
  const names: string[] = JSON.parse(earlier);
  return txid === null || problem !== null ? names : [...names, txid];
}

/** Whether a transaction was never seen, and is not watched any more. */
export function isForgotten({ seen, sent_at }: RefundTable, nowMs: number): boolean {
  return seen === 0 && sent_at !== null && sent_at <= nowMs - unseenWatchMs;
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
