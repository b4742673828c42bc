/** What of a payment's money is no part of the deal, and how much of that is settled. Amounts in base units. */

import type { LeftoverKind } from '@coinfront/api/refunds.ts';
import { isClosed } from '../judging/payment-rules.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';

/** What came and is there: what counts for the payment, and what is late. */
export type Came = { counted: bigint; late: bigint };

/** What is left over, and why. */
export type LeftOver = { total: bigint; kinds: LeftoverKind[] };

/** What became of what is left over: `total + uncovered = refunded + resolved + open`. */
export type Balance = LeftOver & {
  /** Part of the total that is deep enough. */
  settled: bigint;
  /** In refunds that are not cancelled. */
  refunded: bigint;
  /** Let be by the merchant's word. */
  resolved: bigint;
  /** Nobody has settled it. */
  open: bigint;
  /** Sent back, or about to be, and not there any more. */
  uncovered: bigint;
  /** Whether nothing is open, and nothing uncovered that its merchant does not let be. */
  isSettled: boolean;
};

type Deal = Pick<PaymentTable, 'status' | 'accepted_at' | 'amount'>;
type Settled = Pick<PaymentTable, 'refunded' | 'resolved'>;

/**
 * What is left over of what came. A payment that is over without having been paid keeps nothing; any other keeps its amount, and what
 * is late is no part of it. The index `payment_unsettled` has the same rule in SQL.
 */
export function findLeftOver(payment: Deal, { counted, late }: Came): LeftOver {
  const amount = BigInt(payment.amount);
  const closed = isClosed(payment);
  const above = closed ? counted : counted > amount ? counted - amount : 0n;
  const kinds: LeftoverKind[] = [];
  if (late > 0n) kinds.push('late');
  if (above > 0n) kinds.push(closed ? 'closed' : 'overpaid');
  return { total: late + above, kinds };
}

/** Weighs what is left over against what was sent back and let be. */
export function balance(payment: Deal & Settled, there: Came, deep: Came): Balance {
  const { total, kinds } = findLeftOver(payment, there);
  const refunded = BigInt(payment.refunded);
  const rest = total - refunded;
  const resolved = capWord(BigInt(payment.resolved), rest);
  return {
    total,
    kinds: rest < 0n ? [...kinds, 'uncovered'] : kinds,
    settled: least(findLeftOver(payment, deep).total, total),
    refunded,
    resolved: notBelowZero(resolved),
    open: notBelowZero(rest - resolved),
    uncovered: notBelowZero(-rest),
    isSettled: rest === resolved,
  };
}

/** The most that a further refund can be of: what is settled, and not in another refund. */
export function findRefundable({ settled, refunded }: Balance): bigint {
  return notBelowZero(settled - refunded);
}

/** The word of a merchant who lets be whatever is not settled now: `PaymentTable.resolved`. */
export function resolveRest({ total, refunded }: Balance): string {
  return String(total - refunded);
}

/** What a payment's money leaves beside its refunds; below zero where it does not cover them. */
type Sums = Deal & Settled & Pick<PaymentTable, 'seen' | 'late'>;

/**
 * What stays let be when money goes away, comes back, or goes into a refund: never more than there is. What comes later is news to
 * the merchant, and takes nobody's place.
 */
export function capResolved(payment: Sums): string {
  if (payment.resolved === '0') return payment.resolved;
  const came = { counted: BigInt(payment.seen), late: BigInt(payment.late) };
  const rest = findLeftOver(payment, came).total - BigInt(payment.refunded);
  return String(capWord(BigInt(payment.resolved), rest));
}

/** A word is good for what it was said of: for what is left, or for what is missing, and for no more than there is of it. */
function capWord(word: bigint, rest: bigint): bigint {
  return rest < 0n ? -least(notBelowZero(-word), -rest) : least(notBelowZero(word), rest);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function notBelowZero(value: bigint): bigint {
  return value < 0n ? 0n : value;
}
