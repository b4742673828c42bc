/** What becomes of a payment: a pure function of its outputs, the tip, the clock and what was decided before. */

import type { PaymentReason, PaymentStatus } from '@coinfront/api/payments.ts';
import type { PaymentOutputTable, PaymentTable } from './payment-tables.ts';

/** What a payment is judged against. */
export type JudgedMoment = {
  tipHeight: number;
  /** Unix milliseconds: what the node knew by then is in the index. Time after it has not been, for payments. */
  syncedAtMs: number;
  /** Confirmations that a coinbase output needs before it can be spent. */
  coinbaseMaturity: number;
};

/** What a payment is judged to be. Amounts in base units. */
export type Judgement = {
  status: PaymentStatus;
  reason: PaymentReason | null;
  seen: bigint;
  mined: bigint;
  deep: bigint;
  late: bigint;
  held: boolean;
  settled: boolean;
  final: boolean;
  /** The next height at which depth alone can change something; null when none can. */
  checkHeight: number | null;
  /** Outputs that are late from now on. */
  becomeLate: readonly JudgedOutput[];
};

/** What the rules know of a payment. */
export type JudgedPayment = Pick<
  PaymentTable,
  | 'status'
  | 'reason'
  | 'amount'
  | 'confirmations_required'
  | 'expires_at'
  | 'accepted_at'
  | 'held'
  | 'settled'
  | 'final'
>;

/** What the rules know of an output. */
export type JudgedOutput = Pick<
  PaymentOutputTable,
  'value' | 'coinbase' | 'height' | 'block_time' | 'first_seen_at' | 'gone' | 'excluded' | 'late'
>;

/** Confirmations after which a settled payment is no longer watched for a reorganisation. */
export const finalConfirmations = 100;

/** Whether an output counts towards the amount while it is in the chain or the mempool. */
export function isCounted(
  { accepted_at }: Pick<PaymentTable, 'accepted_at'>,
  { excluded, late }: Pick<PaymentOutputTable, 'excluded' | 'late'>,
): boolean {
  return excluded === 0 && (late === 0 || accepted_at !== null);
}

/**
 * Judges a payment. Judging twice by the same outputs and moment changes nothing.
 *
 * 1. Expired and cancelled payments stay what they are until their merchant accepts what came: new outputs are late.
 * 2. A payment whose time is up without the whole amount seen in time expires; what came after is late. Once the whole
 *    amount was seen in time (`held`) everything counts, whenever it came: a fee bump after expiry costs nobody anything.
 * 3. A settled payment is paid or overpaid while enough is deep enough, and reorged while not.
 * 4. Any other is what its sums say.
 */
export function judgePayment(
  payment: JudgedPayment,
  outputs: readonly JudgedOutput[],
  moment: JudgedMoment,
): Judgement {
  const amount = BigInt(payment.amount);
  const present = outputs.filter(({ excluded, gone }) => excluded === 0 && gone === 0);
  const isAccepted = payment.accepted_at !== null;
  const isClosed = (payment.status === 'expired' || payment.status === 'cancelled') && !isAccepted;
  const isTimeUp = moment.syncedAtMs > payment.expires_at && !isAccepted;
  const inTime = present.filter((output) => output.late === 0 && isInTime(output, payment.expires_at));

  if (isClosed || (isTimeUp && payment.settled === 0)) {
    const held = !isClosed && (payment.held === 1 || sumOf(inTime) >= amount);
    const all = present.filter(({ late }) => late === 0);
    if (!held || sumOf(all) < amount) return close(payment, present, isClosed, moment);
  }
  return weigh(payment, present, moment);
}

function isInTime({ first_seen_at, block_time }: JudgedOutput, deadlineMs: number): boolean {
  return first_seen_at <= deadlineMs || (block_time !== null && block_time <= deadlineMs);
}

/** What a closed payment is, or one that closes now. */
function close(
  payment: JudgedPayment,
  present: readonly JudgedOutput[],
  isClosed: boolean,
  moment: JudgedMoment,
): Judgement {
  const isLate = (output: JudgedOutput): boolean =>
    output.late === 1 || (!isClosed && !isInTime(output, payment.expires_at));
  const counted = present.filter((output) => !isLate(output));
  const sums = sumUp(payment, counted, moment);
  return {
    status: isClosed ? payment.status : 'expired',
    reason: isClosed ? payment.reason : sums.seen > 0n ? 'partial' : 'unpaid',
    ...sums,
    late: sumOf(present.filter(isLate)),
    held: false,
    settled: false,
    final: false,
    checkHeight: null,
    becomeLate: present.filter((output) => output.late === 0 && isLate(output)),
  };
}

/** What a payment is by its sums. */
function weigh(payment: JudgedPayment, present: readonly JudgedOutput[], moment: JudgedMoment): Judgement {
  const amount = BigInt(payment.amount);
  const counted = present.filter((output) => isCounted(payment, output));
  const sums = sumUp(payment, counted, moment);
  const isDeep = sums.deep >= amount;
  const settled = payment.settled === 1 || isDeep;
  const isFinal = payment.final === 1 || (isDeep && isDeepFor(counted, amount, moment));
  return {
    status: nameStatus(sums, amount, settled),
    reason: null,
    ...sums,
    late: sumOf(present.filter((output) => !isCounted(payment, output))),
    held: payment.held === 1 || sums.seen >= amount,
    settled,
    final: isFinal,
    checkHeight: isFinal ? null : findCheckHeight(payment, counted, moment),
    becomeLate: [],
  };
}

function nameStatus(
  { seen, mined, deep }: Pick<Judgement, 'seen' | 'mined' | 'deep'>,
  amount: bigint,
  settled: boolean,
): PaymentStatus {
  if (deep >= amount) return deep > amount ? 'overpaid' : 'paid';
  if (settled) return 'reorged';
  if (mined >= amount) return 'confirming';
  if (seen >= amount) return 'detected';
  return seen > 0n ? 'underpaid' : 'open';
}

function sumUp(
  { confirmations_required }: JudgedPayment,
  counted: readonly JudgedOutput[],
  moment: JudgedMoment,
): Pick<Judgement, 'seen' | 'mined' | 'deep'> {
  return {
    seen: sumOf(counted),
    mined: sumOf(counted.filter(({ height }) => height !== null)),
    deep: sumOf(
      counted.filter(
        (output) => countConfirmations(output, moment) >= neededFor(output, confirmations_required, moment),
      ),
    ),
  };
}

function isDeepFor(counted: readonly JudgedOutput[], amount: bigint, moment: JudgedMoment): boolean {
  return (
    sumOf(counted.filter((output) => countConfirmations(output, moment) >= finalConfirmations)) >= amount
  );
}

/** The lowest height above the tip at which an output becomes deep enough, or final. */
function findCheckHeight(
  { confirmations_required }: JudgedPayment,
  counted: readonly JudgedOutput[],
  moment: JudgedMoment,
): number | null {
  let lowest: number | null = null;
  for (const output of counted) {
    if (output.height === null) continue;
    for (const needed of [neededFor(output, confirmations_required, moment), finalConfirmations]) {
      const height = output.height + needed - 1;
      if (height > moment.tipHeight && (lowest === null || height < lowest)) lowest = height;
    }
  }
  return lowest;
}

function countConfirmations({ height }: JudgedOutput, { tipHeight }: JudgedMoment): number {
  return height === null ? 0 : tipHeight - height + 1;
}

/** A coinbase output is worth nothing to its owner before it is mature. */
function neededFor({ coinbase }: JudgedOutput, required: number, { coinbaseMaturity }: JudgedMoment): number {
  return coinbase === 1 ? Math.max(required, coinbaseMaturity) : required;
}

function sumOf(outputs: readonly Pick<JudgedOutput, 'value'>[]): bigint {
  return outputs.reduce((sum, { value }) => sum + BigInt(value), 0n);
}
