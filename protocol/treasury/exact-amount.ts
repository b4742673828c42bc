/** Digits of the suffix at most; with them an amount grows by less than a hundredth of a percent of one coin. */
const MAX_SUFFIX_DIGITS = 4;

/**
 * How many suffixes there are for one requested amount: they are 1, 2, … up to this, in base units. Half of the coin's
 * decimals are used, four at most: 9,999 for a coin of 8 decimals, 9 for one of 2. 0 where amounts cannot be told apart.
 */
export function countSuffixes(decimals: number): number {
  return 10 ** Math.min(MAX_SUFFIX_DIGITS, Math.floor(decimals / 2)) - 1;
}

/** Whether an amount can be the exact amount of an intent that asked for `requested`; base units. */
export function isExactAmountOf(amount: bigint, requested: bigint, decimals: number): boolean {
  return amount > requested && amount <= requested + BigInt(countSuffixes(decimals));
}
