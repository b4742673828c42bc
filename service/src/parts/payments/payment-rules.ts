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

/** Whether a payment is over without having been paid, and not accepted since: what comes for it is late. */
export function isClosed({ status, accepted_at }: Pick<PaymentTable, 'status' | 'accepted_at'>): boolean {
  return (status === 'expired' || status === 'cancelled') && accepted_at === null;
}

/** Whether a payment still waits for its money. */
export function isUnfinished(status: PaymentStatus): boolean {
  return status === 'open' || status === 'underpaid' || status === 'detected' || status === 'confirming';
}

/**
 * Judges a payment. Judging twice by the same outputs and moment changes nothing.
 *
 * 1. Expired and cancelled payments stay what they are until their merchant accepts what came: new outputs are late.
 * 2. What came after the expiry does not count before the whole amount was seen in time. Once it was (`held`) everything
 *    counts, whenever it came: a fee bump after the expiry costs nobody anything.
 * 3. A payment whose time is up while less than the amount counts expires; what came after the expiry is late.
 * 4. A settled payment is paid or overpaid while enough is deep enough, and reorged while not.
 * 5. Any other is what its sums say.
 */
export function judgePayment(
  payment: JudgedPayment,
  outputs: readonly JudgedOutput[],
  moment: JudgedMoment,
): Judgement {
  const own = outputs.filter(({ excluded }) => excluded === 0);
  if (isClosed(payment)) return close(payment, own, moment);
  const present = own.filter(({ gone }) => gone === 0);
  if (payment.accepted_at !== null) return weigh(payment, present, moment);

  const amount = BigInt(payment.amount);
  const onTime = present.filter((output) => isOnTime(payment, output));
  const held = payment.held === 1 || payment.settled === 1 || sumOf(onTime) >= amount;
  const counted = held ? present.filter(({ late }) => late === 0) : onTime;
  const isTimeUp = moment.syncedAtMs > payment.expires_at;
  if (isTimeUp && payment.settled === 0 && sumOf(counted) < amount) return close(payment, own, moment);
  return weigh(payment, counted, moment, sumOf(present.filter(({ late }) => late === 1)));
}

/** First seen, or mined, at or before the expiry. */
function isOnTime(
  { expires_at }: Pick<JudgedPayment, 'expires_at'>,
  { late, first_seen_at, block_time }: JudgedOutput,
): boolean {
  return late === 0 && (first_seen_at <= expires_at || (block_time !== null && block_time <= expires_at));
}

/** What a closed payment is, or one that expires now. What is gone has left it: it is late when it comes back. */
function close(payment: JudgedPayment, own: readonly JudgedOutput[], moment: JudgedMoment): Judgement {
  const wasClosed = isClosed(payment);
  const isLate = (output: JudgedOutput): boolean =>
    output.late === 1 ||
    output.gone === 1 ||
    // It was cancelled while nothing had been seen.
    payment.status === 'cancelled' ||
    (!wasClosed && !isOnTime(payment, output));
  const counted = own.filter((output) => !isLate(output));
  const sums = sumUp(payment, counted, moment);
  return {
    status: wasClosed ? payment.status : 'expired',
    reason: wasClosed ? payment.reason : sums.seen > 0n ? 'partial' : 'unpaid',
    ...sums,
    late: sumOf(own.filter((output) => output.gone === 0 && isLate(output))),
    held: false,
    settled: false,
    final: false,
    checkHeight: findCheckHeight(payment, counted, moment, { untilFinal: false }),
    becomeLate: own.filter((output) => output.late === 0 && isLate(output)),
  };
}

/** What a payment is by the sums of what counts. */
function weigh(
  payment: JudgedPayment,
  counted: readonly JudgedOutput[],
  moment: JudgedMoment,
  late = 0n,
): Judgement {
  const amount = BigInt(payment.amount);
  const sums = sumUp(payment, counted, moment);
  const isDeep = sums.deep >= amount;
  const settled = payment.settled === 1 || isDeep;
  const final = payment.final === 1 || (isDeep && isDeepFor(counted, amount, moment));
  return {
    status: nameStatus(sums, amount, settled),
    reason: null,
    ...sums,
    late,
    held: payment.held === 1 || sums.seen >= amount,
    settled,
    final,
    checkHeight: findCheckHeight(payment, counted, moment, { untilFinal: !final }),
    becomeLate: [],
  };
}

/** The status of a payment that is neither closed nor expires, by the sums of what counts. */
export function nameStatus(
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
  { untilFinal }: { untilFinal: boolean },
): number | null {
  let lowest: number | null = null;
  for (const output of counted) {
    if (output.height === null) continue;
    const needed = [neededFor(output, confirmations_required, moment)];
    if (untilFinal) needed.push(finalConfirmations);
    for (const confirmations of needed) {
      const height = output.height + confirmations - 1;
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
