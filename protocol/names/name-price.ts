import { findAtHeight } from '../height-table.ts';
import type { NameRules } from '../profile.ts';

/** What one period of a name costs at a height, by the length of its label. Base units. */
export function pricePerPeriod(labelLength: number, height: number, { prices }: NameRules): bigint {
  const rows = findAtHeight(prices, height)?.byLength ?? [];
  const row = rows.find(({ maxLength }) => labelLength <= maxLength);
  if (row === undefined) throw new Error(`the profile has no price for ${labelLength} at height ${height}`);
  return row.perPeriod;
}

/**
 * What registering a name again costs on top of its price, at a height from the end of its grace on: the whole
 * premium there, then linearly less, rounded down, and nothing after `premiumBlocks`. Base units.
 */
export function premiumAt(expiry: number, height: number, rules: NameRules): bigint {
  const elapsed = height - (expiry + rules.graceBlocks);
  if (elapsed >= rules.premiumBlocks) return 0n;
  const left = rules.premiumBlocks - Math.max(0, elapsed);
  return (rules.premiumStart * BigInt(left)) / BigInt(rules.premiumBlocks);
}

/** What a register costs: its periods, and what is left of the premium of the name's former life. Base units. */
export function registerFee(
  { labelLength, periods }: { labelLength: number; periods: number },
  formerExpiry: number | undefined,
  height: number,
  rules: NameRules,
): bigint {
  const premium = formerExpiry === undefined ? 0n : premiumAt(formerExpiry, height, rules);
  return renewFee({ labelLength, periods }, height, rules) + premium;
}

/** What a renewal costs: its periods. Base units. */
export function renewFee(
  { labelLength, periods }: { labelLength: number; periods: number },
  height: number,
  rules: NameRules,
): bigint {
  return pricePerPeriod(labelLength, height, rules) * BigInt(periods);
}
