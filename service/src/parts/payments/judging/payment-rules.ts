/**
 * What becomes of a payment: a pure function of its outputs, the tip, the clock and what was decided before. The table
 * in docs/payments.md says the same in words.
 */

import type { PaymentReason, PaymentStatus } from '@coinfront/api/payments.ts';
import type { PaymentOutputTable, PaymentTable } from '../schema/payment-tables.ts';
import { findCheckHeight, isFinal, type PaymentSums, type SummedAt, sumOf, sumUp } from './payment-sums.ts';

/** What a payment is judged against. */
export type JudgedMoment = SummedAt & {
  /** Unix milliseconds: what the node knew by then is in the index. Time after it has not been, for payments. */
  syncedAtMs: number;
  /** How long a payment that was seen in full, settled or accepted waits past its expiry for what it needs. */
  waitMs: number;
  /** False where another payment has its script by now: one that had ended stays so, whatever blocks or its merchant say. */
  mayReopen?: boolean;
};

/** What a payment is judged to be. Amounts in base units. */
export type Judgement = PaymentSums & {
  status: PaymentStatus;
  reason: PaymentReason | null;
  late: bigint;
  held: boolean;
  settled: boolean;
  final: boolean;
  /** Whether what its merchant accepted still holds: not when it has ended. */
  accepted: boolean;
  /** See `PaymentTable.lost_at`. */
  lostAt: number | null;
  /** See `PaymentTable.paid_at`. */
  paidAt: number | null;
  /** See `PaymentTable.settled_at`. */
  settledAt: number | null;
  /** The next height at which depth alone can change something; null when none can. */
  checkHeight: number | null;
  /** The time after which time alone changes something; null when none does. */
  checkAt: number | null;
  /** Outputs that are late from now on. */
  becomeLate: readonly JudgedOutput[];
  /** Outputs that were late, and of which a block says that they were in time. */
  becomeInTime: readonly JudgedOutput[];
};

/** What the rules know of a payment. */
export type JudgedPayment = Pick<
  PaymentTable,
  | 'status'
  | 'reason'
  | 'amount'
  | 'tolerance'
  | 'confirmations_required'
  | 'expires_at'
  | 'accepted_at'
  | 'accepted_amount'
  | 'held'
  | 'settled'
  | 'final'
  | 'lost_at'
  | 'settled_at'
  | 'refunded'
>;

/** What the rules know of an output. */
export type JudgedOutput = Pick<
  PaymentOutputTable,
  | 'value'
  | 'coinbase'
  | 'height'
  | 'replaceable'
  | 'block_time'
  | 'first_seen_at'
  | 'gone'
  | 'excluded'
  | 'late'
>;

/** Whether a payment is over without having been paid, and not accepted since: what comes for it is late. */
export function isClosed(payment: Pick<PaymentTable, 'status' | 'accepted_at'>): boolean {
  return hasEnded(payment) && payment.accepted_at === null;
}

function hasEnded({ status }: Pick<PaymentTable, 'status'>): boolean {
  return status === 'expired' || status === 'cancelled';
}

/** Whether a payment still waits for its money. */
export function isUnfinished(status: PaymentStatus): boolean {
  return status === 'open' || status === 'underpaid' || status === 'detected' || status === 'confirming';
}

/** Base units that make it paid: the amount less what it may be short by, or what its merchant accepted instead of that. */
export function dueOf({
  amount,
  tolerance,
  accepted_amount,
}: Pick<PaymentTable, 'amount' | 'tolerance' | 'accepted_amount'>): bigint {
  const asked = BigInt(amount) - BigInt(tolerance);
  if (accepted_amount === null) return asked;
  const accepted = BigInt(accepted_amount);
  return accepted < asked ? accepted : asked;
}

/**
 * Judges a payment. Judging twice by the same outputs and moment changes nothing.
 *
 * 1. Expired and cancelled payments stay what they are until their merchant accepts what came: new outputs are late. But the clock of
 *    this side may have gone on while the node was away: an expired one is judged anew when blocks of before its expiry have all
 *    that is due, and none of it went back.
 * 2. What came after the expiry does not count, unless the whole of what is due was in sight all the time until now
 *    (`held`): a fee bump after the expiry costs nobody anything. Once it is not, what comes is late.
 * 3. A payment ends when its time is over and what is due is not in blocks: at the expiry; `waitMs` later when all is in
 *    sight, when it was settled, or when it was accepted.
 * 4. A settled payment is paid or overpaid while enough is deep enough, and reorged while not.
 * 5. Any other is what its sums say.
 */
export function judgePayment(
  payment: JudgedPayment,
  outputs: readonly JudgedOutput[],
  moment: JudgedMoment,
): Judgement {
  const inTime = listMinedInTime(payment, outputs);
  // What went back by a refund is not there to pay with.
  const isPaid = payment.status === 'expired' && payment.refunded === '0' && sumOf(inTime) >= dueOf(payment);
  const mayReopen = moment.mayReopen !== false;
  const isOver = hasEnded(payment) && !(mayReopen && (isPaid || payment.accepted_at !== null));
  if (isOver) return describeClosed(payment, outputs, listStayed(outputs), moment);
  const becomeInTime = inTime.filter(({ late }) => late === 1);
  const known = new Set(becomeInTime);
  const revised = outputs.map((output) => (known.has(output) ? { ...output, late: 0 } : output));
  const open = isClosed(payment) ? { ...payment, status: 'open' as const, reason: null } : payment;
  return { ...judgeOpen(open, revised, moment), becomeInTime };
}

function judgeOpen(
  payment: JudgedPayment,
  outputs: readonly JudgedOutput[],
  moment: JudgedMoment,
): Judgement {
  const weighed = weigh(payment, outputs, moment);
  const isOver = weighed.checkAt !== null && moment.syncedAtMs > weighed.checkAt;
  return isOver ? closePayment(payment, outputs, 'expired', moment) : weighed;
}

/** What blocks of before the expiry have, counted until now or late. */
function listMinedInTime(
  { expires_at }: JudgedPayment,
  outputs: readonly JudgedOutput[],
): readonly JudgedOutput[] {
  return outputs.filter(
    ({ gone, excluded, block_time }) =>
      gone === 0 && excluded === 0 && block_time !== null && block_time <= expires_at,
  );
}

/**
 * Ends a payment that is not settled, by its time or by its merchant. What counted until now still does, while it is
 * there; everything else is late, also what is gone when it comes back.
 */
export function closePayment(
  payment: JudgedPayment,
  outputs: readonly JudgedOutput[],
  status: 'expired' | 'cancelled',
  at: SummedAt,
): Judgement {
  const counted = listCounted(payment, outputs);
  const seen = sumOf(counted);
  const reason = status === 'cancelled' ? null : nameReason(payment, seen);
  return describeClosed({ ...payment, status, reason }, outputs, counted, at);
}

function nameReason(payment: JudgedPayment, seen: bigint): PaymentReason {
  if (payment.settled === 1) return 'lost';
  if (seen >= dueOf(payment)) return 'unconfirmed';
  return seen > 0n ? 'partial' : 'unpaid';
}

function describeClosed(
  payment: JudgedPayment,
  outputs: readonly JudgedOutput[],
  counted: readonly JudgedOutput[],
  at: SummedAt,
): Judgement {
  const others = listOthers(outputs, counted);
  return {
    status: payment.status,
    reason: payment.reason,
    ...sumUp(payment, counted, at),
    late: sumOf(others.filter(({ gone }) => gone === 0)),
    held: false,
    settled: false,
    final: false,
    accepted: false,
    lostAt: null,
    paidAt: null,
    settledAt: null,
    checkHeight: findCheckHeight(payment, counted, at, { untilFinal: false }),
    checkAt: null,
    becomeLate: others.filter(({ late }) => late === 0),
    becomeInTime: [],
  };
}

/** What a payment is that has not ended, by the sums of what counts. */
function weigh(payment: JudgedPayment, outputs: readonly JudgedOutput[], moment: JudgedMoment): Judgement {
  const due = dueOf(payment);
  const counted = listCounted(payment, outputs);
  const sums = sumUp(payment, counted, moment);
  const isDeep = sums.deep >= due;
  const settled = payment.settled === 1 || isDeep;
  const final = payment.final === 1 || (isDeep && isFinal(counted, due, moment));
  const held = sums.seen >= due;
  const isInBlocks = isDeep || sums.mined >= due;
  const lostAt = isInBlocks ? null : findLostAt(payment, counted, held, moment);
  const others = listOthers(outputs, counted).filter(({ gone }) => gone === 0);
  const becomeLate = moment.syncedAtMs > payment.expires_at ? others.filter(({ late }) => late === 0) : [];
  return {
    status: nameStatus(sums, { due, amount: BigInt(payment.amount) }, settled),
    reason: null,
    ...sums,
    late: sumOf(others.filter(({ late }) => late === 1)) + sumOf(becomeLate),
    held,
    settled,
    final,
    accepted: payment.accepted_at !== null,
    lostAt,
    paidAt: findPaidAt(payment, counted),
    settledAt: findSettledAt(payment, isDeep, moment),
    checkHeight: findCheckHeight(payment, counted, moment, { untilFinal: !final }),
    checkAt: isInBlocks ? null : findEnd(payment, { mayWait: held || settled, lostAt }, moment),
    becomeLate,
    becomeInTime: [],
  };
}

/** Since when it is paid or overpaid. Where that was not noted, in an earlier version, nobody knows. */
function findSettledAt(
  { status, settled_at }: JudgedPayment,
  isDeep: boolean,
  { syncedAtMs }: JudgedMoment,
): number | null {
  if (!isDeep) return null;
  return status === 'paid' || status === 'overpaid' ? settled_at : syncedAtMs;
}

/** When what counts reached what is due; null while it is less. What was accepted is paid by that at the earliest. */
function findPaidAt(payment: JudgedPayment, counted: readonly JudgedOutput[]): number | null {
  const due = dueOf(payment);
  let sum = 0n;
  for (const { value, first_seen_at } of [...counted].sort((a, b) => a.first_seen_at - b.first_seen_at)) {
    sum += BigInt(value);
    if (sum >= due) return Math.max(first_seen_at, payment.accepted_at ?? 0);
  }
  return null;
}

/** The status of a payment that is neither closed nor ends, by the sums of what counts. */
export function nameStatus(
  { seen, mined, deep }: PaymentSums,
  { due, amount }: { due: bigint; amount: bigint },
  settled: boolean,
): PaymentStatus {
  if (deep >= due) return deep > amount ? 'overpaid' : 'paid';
  if (settled) return 'reorged';
  if (mined >= due) return 'confirming';
  if (seen >= due) return 'detected';
  return seen > 0n ? 'underpaid' : 'open';
}

/** Until when a payment that is not in blocks may wait for them. */
function findEnd(
  { expires_at, accepted_at }: JudgedPayment,
  { mayWait, lostAt }: { mayWait: boolean; lostAt: number | null },
  { waitMs }: JudgedMoment,
): number {
  if (!mayWait && accepted_at === null) return expires_at;
  return Math.max(expires_at, accepted_at ?? 0, lostAt ?? 0) + waitMs;
}

/**
 * Since when what is due is not in blocks any more; null when it never was. Of a settled payment, since when it is not
 * in sight any more either. Where all that comes counts the latter would be an end that the payer could put off.
 */
function findLostAt(
  payment: JudgedPayment,
  counted: readonly JudgedOutput[],
  held: boolean,
  { syncedAtMs }: JudgedMoment,
): number | null {
  const { lost_at, settled, status, accepted_at } = payment;
  const wasInBlocks = lost_at === null && (settled === 1 || status === 'confirming');
  const wasInSight = settled === 1 && accepted_at === null && payment.held === 1 && !held;
  if (!wasInBlocks && !wasInSight) return lost_at;
  // What counts now was there before it was lost, whatever the clocks of nodes say.
  return Math.max(syncedAtMs, ...counted.map(({ first_seen_at }) => first_seen_at));
}

/** Outputs that count and are there, of a payment that has not ended. */
function listCounted(payment: JudgedPayment, outputs: readonly JudgedOutput[]): JudgedOutput[] {
  const stayed = listStayed(outputs);
  if (payment.accepted_at !== null) return stayed;
  const inTime = stayed.filter((output) => isInTime(payment, output));
  const due = dueOf(payment);
  const isHeld = payment.held === 1 && (payment.settled === 1 || sumOf(stayed) >= due);
  return isHeld || sumOf(inTime) >= due ? stayed : inTime;
}

function listStayed(outputs: readonly JudgedOutput[]): JudgedOutput[] {
  return outputs.filter(({ excluded, gone, late }) => excluded === 0 && gone === 0 && late === 0);
}

function listOthers(outputs: readonly JudgedOutput[], counted: readonly JudgedOutput[]): JudgedOutput[] {
  const known = new Set(counted);
  return outputs.filter((output) => output.excluded === 0 && !known.has(output));
}

/**
 * First seen, or mined, at or before the expiry. Of a settled payment also what was there before it was lost, which is all that is
 * there where it is only lost now: it may have taken the place of what had been in time.
 */
function isInTime(
  { expires_at, settled, lost_at }: JudgedPayment,
  { first_seen_at, block_time }: JudgedOutput,
): boolean {
  const until = settled === 1 ? Math.max(expires_at, lost_at ?? Number.POSITIVE_INFINITY) : expires_at;
  return first_seen_at <= until || (block_time !== null && block_time <= expires_at);
}
