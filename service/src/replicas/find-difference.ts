import { STATE_HASH_INTERVAL } from '@coinfront/protocol/hash-chain.ts';

/** What two services have at a height. */
export type Comparison = { hasEqualChain: boolean; hasEqualState: boolean; isSameBlock: boolean };
type Compare = (height: number) => Promise<Comparison | undefined>;
type Difference = { height: number; isSameBlock: boolean };

/**
 * The first height up to `top` at which chains of hashes differ; where they do not, the first at which the state does, which
 * is hashed now and then only: equal events with another state are a fault of storage. Undefined when the chain changed
 * meanwhile.
 */
export async function findDifference(
  top: number,
  activationHeight: number,
  compare: Compare,
): Promise<Difference | 'none' | undefined> {
  const atTop = await compare(top);
  if (atTop === undefined) return undefined;
  if (!atTop.hasEqualChain) {
    const chains = { low: activationHeight, high: top, step: 1 };
    return await bisect(chains, atTop, compare, ({ hasEqualChain }) => hasEqualChain);
  }
  const step = STATE_HASH_INTERVAL;
  const high = top - (top % step);
  const low = Math.ceil(activationHeight / step) * step;
  if (high < low) return 'none';
  const atHigh = await compare(high);
  if (atHigh === undefined) return undefined;
  if (atHigh.hasEqualState) return 'none';
  return await bisect({ low, high, step }, atHigh, compare, ({ hasEqualState }) => hasEqualState);
}

/** The first of the heights from `low` to `high` that differs: `high` does, and all below the one that is found are equal. */
async function bisect(
  { low, high, step }: { low: number; high: number; step: number },
  atHigh: Comparison,
  compare: Compare,
  isEqual: (comparison: Comparison) => boolean,
): Promise<Difference | undefined> {
  let from = low;
  let found = { height: high, isSameBlock: atHigh.isSameBlock };
  while (from < found.height) {
    const middle = from + step * Math.floor((found.height - from) / step / 2);
    const compared = await compare(middle);
    if (compared === undefined) return undefined;
    if (isEqual(compared)) from = middle + step;
    else found = { height: middle, isSameBlock: compared.isSameBlock };
  }
  return found;
}
