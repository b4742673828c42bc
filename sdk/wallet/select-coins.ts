import { feeOf, frameWeight, inputWeight, outputWeight, vsizeOf } from './transaction-weight.ts';
import type { AddressKind } from './wallet-address.ts';

/** A coin as selection sees it. */
export type Candidate = { readonly value: bigint; readonly kind: AddressKind };

export type SelectionTarget<C extends Candidate> = {
  /** Spent in any case, and first, in this order. */
  readonly required: readonly C[];
  readonly candidates: readonly C[];
  /** Scripts and values of all outputs but the change. */
  readonly outputs: readonly { readonly script: Uint8Array; readonly value: bigint }[];
  readonly changeScript: Uint8Array;
  /** Base units for 1,000 virtual bytes. */
  readonly feeRatePerKvb: bigint;
  readonly dustLimit: bigint;
  readonly maxInputs: number;
  /** Whether to spend more rather than leave no change: for a sender that has to act again. */
  readonly keepsChange?: boolean;
};

/** Coins that pay; `change` is undefined where there is none, and what would be dust goes to the fee. */
export type Selection<C extends Candidate> =
  | { ok: true; coins: C[]; fee: bigint; change: bigint | undefined; vsize: number }
  | { ok: false; reason: 'insufficient_funds' | 'too_many_inputs'; needed: bigint; available: bigint };

/** Steps of the search, as Bitcoin Core bounds its own. */
const MAX_TRIES = 100_000;

/**
 * Chooses coins that pay outputs and fee. First by branch and bound: a set that needs no change, or as little more than
 * that as change would cost. Else the largest coins first until it is enough, with change. In both cases
 * `sum of coins = sum of outputs + change + fee`, and the fee is at least the rate for the size once signed.
 */
export function selectCoins<C extends Candidate>(target: SelectionTarget<C>): Selection<C> {
  const { required, candidates, feeRatePerKvb } = target;
  const useful = candidates
    .filter(({ value, kind }) => value > feeOf(vsizeOf(inputWeight(kind)), feeRatePerKvb))
    .sort((a, b) => (a.value === b.value ? 0 : a.value > b.value ? -1 : 1));
  const exact = target.keepsChange ? undefined : findExact(target, useful);
  if (exact !== undefined) return exact;
  const coins = [...required];
  let settled = coins.length === 0 ? undefined : settle(target, coins);
  for (const coin of useful) {
    const isEnough = settled !== undefined && (settled.change !== undefined || !target.keepsChange);
    if (isEnough || coins.length >= target.maxInputs) break;
    coins.push(coin);
    settled = settle(target, coins) ?? settled;
  }
  if (settled !== undefined) return settled;
  const rest = coins.length - required.length < useful.length;
  const available = sumOf(required) + sumOf(useful);
  const needed = amountOf(target) + feeOf(vsizeWith(target, coins, false), feeRatePerKvb);
  const isLimit = rest && available >= needed;
  return { ok: false, reason: isLimit ? 'too_many_inputs' : 'insufficient_funds', needed, available };
}

/** Fee and change of a set of coins; undefined where it does not pay. */
export function settle<C extends Candidate>(
  target: SelectionTarget<C>,
  coins: readonly C[],
): (Selection<C> & { ok: true }) | undefined {
  const { feeRatePerKvb, dustLimit } = target;
  const left = sumOf(coins) - amountOf(target);
  const vsizeChanged = vsizeWith(target, coins, true);
  const feeChanged = feeOf(vsizeChanged, feeRatePerKvb);
  const change = left - feeChanged;
  if (change > 0n && change >= dustLimit)
    return { ok: true, coins: [...coins], fee: feeChanged, change, vsize: vsizeChanged };
  const vsize = vsizeWith(target, coins, false);
  if (left < feeOf(vsize, feeRatePerKvb)) return undefined;
  return { ok: true, coins: [...coins], fee: left, change: undefined, vsize };
}

/** Depth-first over the coins by value, largest first, cut where the sum passes the window or cannot reach it. */
function findExact<C extends Candidate>(
  target: SelectionTarget<C>,
  useful: readonly C[],
): (Selection<C> & { ok: true }) | undefined {
  const { required, feeRatePerKvb, changeScript } = target;
  const worthOf = ({ value, kind }: Candidate) => value - feeOf(vsizeOf(inputWeight(kind)), feeRatePerKvb);
  const base = amountOf(target) + feeOf(vsizeWith(target, [], false), feeRatePerKvb);
  const goal = base - required.reduce((sum, coin) => sum + worthOf(coin), 0n);
  // Change would cost its own output now and an input later; more than that is not thrown away.
  const slack = feeOf(vsizeOf(outputWeight(changeScript) + inputWeight('p2wpkh')), feeRatePerKvb);
  if (goal <= 0n) return undefined;
  const worths = useful.map(worthOf);
  const reach: bigint[] = new Array(worths.length + 1).fill(0n);
  for (let i = worths.length - 1; i >= 0; i -= 1) reach[i] = reach[i + 1]! + worths[i]!;

  const chosen: number[] = [];
  let sum = 0n;
  let index = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (sum >= goal && sum <= goal + slack) {
      const found = settle(target, [...required, ...chosen.map((i) => useful[i]!)]);
      if (found?.change === undefined) return found;
    }
    const isDead =
      sum > goal + slack ||
      index >= worths.length ||
      sum + reach[index]! < goal ||
      required.length + chosen.length >= target.maxInputs;
    if (!isDead) {
      chosen.push(index);
      sum += worths[index]!;
      index += 1;
      continue;
    }
    const last = chosen.pop();
    if (last === undefined) return undefined;
    sum -= worths[last]!;
    // Without this coin, and without others of the same worth: they would only give the same sums again.
    index = last + 1;
    while (index < worths.length && worths[index] === worths[last]) index += 1;
  }
  return undefined;
}

function vsizeWith<C extends Candidate>(
  { outputs, changeScript }: SelectionTarget<C>,
  coins: readonly C[],
  withChange: boolean,
): number {
  const count = outputs.length + (withChange ? 1 : 0);
  let weight = frameWeight(coins.length, count) + (withChange ? outputWeight(changeScript) : 0);
  for (const { script } of outputs) weight += outputWeight(script);
  for (const { kind } of coins) weight += inputWeight(kind);
  return vsizeOf(weight);
}

function amountOf<C extends Candidate>({ outputs }: SelectionTarget<C>): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n);
}

function sumOf(coins: readonly Candidate[]): bigint {
  return coins.reduce((sum, { value }) => sum + value, 0n);
}
