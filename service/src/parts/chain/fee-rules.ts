/** Fee estimates with stated fallbacks. Rates are base units for 1,000 virtual bytes, as bigint. */

import type { FeeHistogramStep } from './chain-view.ts';

/** Where an estimate comes from. */
export type FeeSource = 'node' | 'mempool' | 'minimum';

export type FeeEstimate = { targetBlocks: number; ratePerKvb: bigint; source: FeeSource };

/** Virtual bytes that a block takes (4,000,000 weight units). */
const blockVsize = 1_000_000;

/**
 * An estimate for each target.
 *
 * The node's own comes first. Where it has none: the rate at which the best-paying `target` blocks full of the
 * mempool end, or the minimum when the whole mempool fits. Never below the minimum, and never more for a
 * longer wait than for a shorter one.
 */
export function estimateFees(input: {
  targets: readonly number[];
  nodeRates: ReadonlyMap<number, bigint>;
  minimum: bigint;
  histogram: readonly FeeHistogramStep[];
}): FeeEstimate[] {
  const { targets, nodeRates, minimum, histogram } = input;
  const estimates: FeeEstimate[] = [];
  for (const targetBlocks of targets.toSorted((a, b) => a - b)) {
    const fromNode = nodeRates.get(targetBlocks);
    const found: Omit<FeeEstimate, 'targetBlocks'> =
      fromNode !== undefined
        ? { ratePerKvb: fromNode, source: 'node' }
        : estimateFromMempool(histogram, targetBlocks, minimum);
    const floor = found.ratePerKvb < minimum ? { ratePerKvb: minimum, source: 'minimum' as const } : found;
    const shorter = estimates.at(-1);
    const capped =
      shorter !== undefined && shorter.ratePerKvb < floor.ratePerKvb
        ? { ratePerKvb: shorter.ratePerKvb, source: shorter.source }
        : floor;
    estimates.push({ targetBlocks, ...capped });
  }
  return estimates;
}

/** @param histogram - highest rate first */
function estimateFromMempool(
  histogram: readonly FeeHistogramStep[],
  targetBlocks: number,
  minimum: bigint,
): { ratePerKvb: bigint; source: FeeSource } {
  let vsize = 0;
  for (const step of histogram) {
    vsize += step.vsize;
    if (vsize >= targetBlocks * blockVsize) {
      // A thousandth more than the step's bound gets in before what pays just that.
      return { ratePerKvb: BigInt(Math.ceil(step.feeRateMilliSatsPerVb)) + 1n, source: 'mempool' };
    }
  }
  return { ratePerKvb: minimum, source: 'minimum' };
}
