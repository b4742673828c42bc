import { fail, ok, type Result } from './result.ts';

/** Whole digits that are read at most; 2^64 base units of a coin without decimals have 20. */
const MAX_WHOLE_DIGITS = 20;

/**
 * Base units as the one decimal text used everywhere: every decimal of the coin, no exponent, no grouping.
 * `formatAmount(50000000n, 8)` is `"0.50000000"`; a coin with 0 decimals has no point.
 */
export function formatAmount(base: bigint, decimals: number): string {
  const sign = base < 0n ? '-' : '';
  const digits = (base < 0n ? -base : base).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Reads an untrusted amount in coins into base units: digits, then optionally a point and at most
 * `decimals` digits. Signs, exponents, spaces, grouping, a bare point and superfluous leading zeros are refused.
 */
export function parseAmount(text: string, decimals: number): Result<bigint> {
  if (text.length > MAX_WHOLE_DIGITS + 1 + decimals)
    return fail(`amount is too long: ${text.length} characters`);
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return fail(`amount must be plain decimal digits such as "1" or "0.5", received "${text}"`);
  const [, whole = '', fraction = ''] = match;
  if (whole.length > MAX_WHOLE_DIGITS) return fail(`amount has more than ${MAX_WHOLE_DIGITS} whole digits`);
  if (fraction.length > decimals) {
    return fail(`amount has ${fraction.length} decimals, the coin has ${decimals}`);
  }
  return ok(BigInt(whole + fraction.padEnd(decimals, '0')));
}
