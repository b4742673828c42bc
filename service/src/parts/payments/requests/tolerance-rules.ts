/** By how much less than its amount a payment is paid all the same: exchanges and wallets take fees out of what they send. */

import type { ToleranceJson } from '@coinfront/api/payments.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { AppError } from '../../../errors.ts';
import type { MerchantTable } from '../schema/payment-tables.ts';

/** A tolerance as it is kept: hundredths of a percent, and base units at most. */
export type ToleranceTerms = Pick<MerchantTable, 'tolerance_bps' | 'tolerance_max'>;

/** Hundredths of a percent in the whole. */
const WHOLE = 10_000n;

/**
 * Reads a tolerance.
 *
 * @throws AppError `invalid_body`, `amount_invalid`
 */
export function checkTolerance(
  { percent, max_amount: most }: ToleranceJson,
  { decimals }: Pick<CoinProfile, 'decimals'>,
): ToleranceTerms {
  const bps = Math.round(percent * 100);
  // 0.07 * 100 is not 7 in binary; what has no third decimal is nearer than this.
  if (Math.abs(bps - percent * 100) > 1e-6) {
    throw new AppError('invalid_body', `"tolerance.percent" has more than two decimals: ${percent}.`);
  }
  if (most === undefined) return { tolerance_bps: bps, tolerance_max: null };
  const units = parseAmount(most, decimals);
  if (!units.ok) throw new AppError('amount_invalid', `"tolerance.max_amount": ${units.reason}.`);
  return { tolerance_bps: bps, tolerance_max: String(units.value) };
}

/** A tolerance as it is shown; null where none is given. */
export function serialiseTolerance(
  { tolerance_bps, tolerance_max }: ToleranceTerms,
  decimals: number,
): ToleranceJson | null {
  if (tolerance_bps === 0) return null;
  const max_amount = tolerance_max === null ? undefined : formatAmount(BigInt(tolerance_max), decimals);
  return { percent: tolerance_bps / 100, ...(max_amount === undefined ? {} : { max_amount }) };
}

/** Base units that an amount may be short by, rounded down. */
export function findTolerance(amount: bigint, { tolerance_bps, tolerance_max }: ToleranceTerms): bigint {
  const part = (amount * BigInt(tolerance_bps)) / WHOLE;
  if (tolerance_max === null) return part;
  const most = BigInt(tolerance_max);
  return part < most ? part : most;
}
