/** Fee estimates with stated fallbacks. Rates are base units for 1,000 virtual bytes, as bigint. */

import type { FeeHistogramStep } from '../../chain/chain-view.ts';

/** Where an estimate comes from. */
export type FeeSource = 'node' | 'mempool' | 'minimum';

export type FeeEstimate = { targetBlocks: number; ratePerKvb: bigint; source: FeeSource };

/** Virtual bytes that a block takes (4,000,000 weight units). */
const blockVsize = 1_000_000;

/**
 * An estimate for each target.
 *
 * The node's own comes first, then, beyond its longest, that one: what it does not know of a week is no reason to pay the
 * minimum. Where it has only longer ones: the rate at which the best-paying `target` blocks full of the mempool end, or the
 * minimum when the whole mempool fits; but no less than the node estimates for a longer wait, and no more than it does for
 * a shorter one. Never below the minimum, and never more for a longer wait than for a shorter one.
 */
export function estimateFees(input: {
  targets: readonly number[];
  nodeRates: ReadonlyMap<number, bigint>;
  minimum: bigint;
  histogram: readonly FeeHistogramStep[];
}): FeeEstimate[] {
  const { targets, nodeRates, minimum, histogram } = input;
  const known = listNodeEstimates(nodeRates, minimum);
  return targets
    .toSorted((a, b) => a - b)
    .map((targetBlocks): FeeEstimate => {
      const shorter = known.findLast((estimate) => estimate.targetBlocks <= targetBlocks);
      if (shorter?.targetBlocks === targetBlocks) return shorter;
      const longer = known.find((estimate) => estimate.targetBlocks > targetBlocks);
      if (shorter && !longer) return { ...shorter, targetBlocks };
      const own = estimateFromMempool(histogram, targetBlocks, minimum);
      if (longer && longer.ratePerKvb > own.ratePerKvb) return { ...longer, targetBlocks };
      if (shorter && shorter.ratePerKvb < own.ratePerKvb) return { ...shorter, targetBlocks };
      return { targetBlocks, ...own };
    });
}

/** The node's estimates, shortest wait first, each capped by the one before. */
function listNodeEstimates(nodeRates: ReadonlyMap<number, bigint>, minimum: bigint): FeeEstimate[] {
  const estimates: FeeEstimate[] = [];
  for (const [targetBlocks, ratePerKvb] of [...nodeRates].sort(([a], [b]) => a - b)) {
    const shorter = estimates.at(-1);
    if (shorter && shorter.ratePerKvb < ratePerKvb) estimates.push({ ...shorter, targetBlocks });
    else if (ratePerKvb < minimum) estimates.push({ targetBlocks, ratePerKvb: minimum, source: 'minimum' });
    else estimates.push({ targetBlocks, ratePerKvb, source: 'node' });
  }
  return estimates;
}

/** @param histogram - highest rate first */
function estimateFromMempool(
  histogram: readonly FeeHistogramStep[],
  targetBlocks: number,
  minimum: bigint,
): Omit<FeeEstimate, 'targetBlocks'> {
  let vsize = 0;
  for (const step of histogram) {
    vsize += step.vsize;
    if (vsize >= targetBlocks * blockVsize) {
      // A thousandth more than the step's bound gets in before what pays just that.
      const ratePerKvb = BigInt(Math.ceil(step.feeRateMilliSatsPerVb)) + 1n;
      if (ratePerKvb > minimum) return { ratePerKvb, source: 'mempool' };
      break;
    }
  }
  return { ratePerKvb: minimum, source: 'minimum' };
}
