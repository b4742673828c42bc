/** What the outputs of a payment add up to at a tip, and at which height depth alone changes that. */

import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { PaymentOutputTable, PaymentTable } from '../schema/payment-tables.ts';

/** What is known of an output. */
export type SummedOutput = Pick<PaymentOutputTable, 'value' | 'coinbase' | 'height' | 'replaceable'>;

/** A tip, and the rules of the coin and its operator. */
export type SummedAt = {
  tipHeight: number;
  /** Confirmations that a coinbase output needs before it can be spent. */
  coinbaseMaturity: number;
  /** Whether a payment without confirmations is settled by what may be replaced, too. */
  trustsReplaceable: boolean;
};

/** The rules of a coin by which outputs are summed at a height. */
export function summedAt({ coinbaseMaturity, payments }: CoinProfile, tipHeight: number): SummedAt {
  return { tipHeight, coinbaseMaturity, trustsReplaceable: payments?.zeroConfReplaceable ?? false };
}

/** Base units: in chain and mempool, in the chain, and there as deep as the payment asks for. */
export type PaymentSums = { seen: bigint; mined: bigint; deep: bigint };

/** Confirmations after which a settled payment is no longer watched for a reorganisation. */
export const finalConfirmations = 100;

type Terms = Pick<PaymentTable, 'confirmations_required'>;

/** Sums of outputs that count and are there. */
export function sumUp(
  { confirmations_required }: Terms,
  counted: readonly SummedOutput[],
  at: SummedAt,
): PaymentSums {
  return {
    seen: sumOf(counted),
    mined: sumOf(counted.filter(({ height }) => height !== null)),
    deep: sumOf(
      counted.filter(
        (output) =>
          countConfirmations(output, at) >= neededFor(output, confirmations_required, at) &&
          isKept(output, at),
      ),
    ),
  };
}

/** Base units of outputs together. */
export function sumOf(outputs: readonly Pick<SummedOutput, 'value'>[]): bigint {
  return outputs.reduce((sum, { value }) => sum + BigInt(value), 0n);
}

/** Whether so much is so deep that it is watched no longer. */
export function isFinal(counted: readonly SummedOutput[], due: bigint, at: SummedAt): boolean {
  return sumOf(counted.filter((output) => countConfirmations(output, at) >= finalConfirmations)) >= due;
}

/** The lowest height above the tip at which an output becomes deep enough, or final; null when there is none. */
export function findCheckHeight(
  { confirmations_required }: Terms,
  counted: readonly SummedOutput[],
  at: SummedAt,
  { untilFinal }: { untilFinal: boolean },
): number | null {
  let lowest: number | null = null;
  for (const output of counted) {
    if (output.height === null) continue;
    const needed = [neededFor(output, confirmations_required, at)];
    if (untilFinal) needed.push(finalConfirmations);
    for (const confirmations of needed) {
      const height = output.height + confirmations - 1;
      if (height > at.tipHeight && (lowest === null || height < lowest)) lowest = height;
    }
  }
  return lowest;
}

/** What may be replaced may be taken back at will: nothing is settled by it unless the operator says so. */
function isKept({ height, replaceable }: SummedOutput, { trustsReplaceable }: SummedAt): boolean {
  return height !== null || replaceable === 0 || trustsReplaceable;
}

function countConfirmations({ height }: SummedOutput, { tipHeight }: SummedAt): number {
  return height === null ? 0 : tipHeight - height + 1;
}

/** A coinbase output is worth nothing to its owner before it is mature. */
function neededFor({ coinbase }: SummedOutput, required: number, { coinbaseMaturity }: SummedAt): number {
  return coinbase === 1 ? Math.max(required, coinbaseMaturity) : required;
}
