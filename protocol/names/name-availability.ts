import type { NameRules } from '../profile.ts';
import { premiumAt, pricePerPeriod } from './name-price.ts';
import type { NameRecord } from './name-rules.ts';
import type { ParsedName } from './name-syntax.ts';

/**
 * Whether a name can be registered in a block, and if not, why and from when. Amounts in base units.
 * - `inactive`: the registry's first block has not come.
 * - `registered`: it has an owner and resolves; expires at `expiry`.
 * - `grace`: it has expired and can only be renewed.
 * - `premium`: free, for its price and what is left of the premium.
 * - `free`: never registered, or long lapsed.
 */
export type NameAvailability =
  | { status: 'inactive'; availableFrom: number }
  | { status: 'registered' | 'grace'; expiry: number; availableFrom: number }
  | { status: 'premium'; expiry: number; premium: bigint; premiumEnds: number; perPeriod: bigint }
  | { status: 'free'; perPeriod: bigint };

/**
 * Describes a name for an operation in the block of `height`: usually the next one.
 *
 * @param record - the name's record in the state before that block
 */
export function describeAvailability(
  { label }: ParsedName,
  record: NameRecord | undefined,
  height: number,
  rules: NameRules,
): NameAvailability {
  // A register needs a commitment that has matured within the registry's life.
  const firstRegister = rules.activationHeight + rules.commitMaturityBlocks;
  if (height < rules.activationHeight) return { status: 'inactive', availableFrom: firstRegister };
  const perPeriod = pricePerPeriod(label.length, height, rules);
  if (record === undefined) return { status: 'free', perPeriod };
  const { expiry } = record;
  const availableFrom = expiry + rules.graceBlocks;
  if (height < availableFrom) {
    return { status: height < expiry ? 'registered' : 'grace', expiry, availableFrom };
  }
  const premiumEnds = availableFrom + rules.premiumBlocks;
  if (height >= premiumEnds) return { status: 'free', perPeriod };
  return { status: 'premium', expiry, premium: premiumAt(expiry, height, rules), premiumEnds, perPeriod };
}

/** Whether a name resolves to its owner in the state after the block of `height`. */
export function doesNameResolve(record: NameRecord, height: number): boolean {
  return height < record.expiry;
}
