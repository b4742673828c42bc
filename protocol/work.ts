const MAX_UINT256 = (1n << 256n) - 1n;

/**
 * The target of compact bits (nBits), by Core's SetCompact. Undefined for what Core calls negative, overflowing
 * or zero: no block can meet it.
 */
export function bitsToTarget(bits: number): bigint | undefined {
  const exponent = bits >>> 24;
  const mantissa = BigInt(bits & 0x7fffff);
  const target =
    exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3));
  const isNegative = (bits & 0x800000) !== 0;
  return isNegative || target === 0n || target > MAX_UINT256 ? undefined : target;
}

/** Expected hashes to find a block of these bits: 2^256 / (target + 1). Zero for impossible bits, as in Core. */
export function workOfBits(bits: number): bigint {
  const target = bitsToTarget(bits);
  return target === undefined ? 0n : (MAX_UINT256 - target) / (target + 1n) + 1n;
}

/** Significant digits of a number in Core's JSON. */
const CORE_DIGITS = 16;

/**
 * Difficulty of these bits relative to the easiest block of Bitcoin's main chain: computed and rounded as Core
 * does, so that the same number comes out as in the node's JSON. Infinity for a zero mantissa.
 */
export function difficultyOfBits(bits: number): number {
  let difficulty = 0xffff / (bits & 0xffffff);
  let shift = bits >>> 24;
  for (; shift < 29; shift++) difficulty *= 256;
  for (; shift > 29; shift--) difficulty /= 256;
  return Number(difficulty.toPrecision(CORE_DIGITS));
}

/**
 * Median time past (BIP-113) from the times (seconds since 1970) of a block and of up to ten before it, in any
 * order; the upper middle of an even number, as in Core.
 * @throws RangeError when there are no times.
 */
export function medianTime(times: readonly number[]): number {
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
  if (median === undefined) throw new RangeError('the median of no times was asked for');
  return median;
}
