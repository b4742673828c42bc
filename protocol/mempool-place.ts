/** Where a transaction stands among those that wait. */

import { BLOCK_VSIZE, type MempoolStep } from './mempool-blocks.ts';

/** Transactions that pay at least this rate, and less than that of the step above. */
export type RatedStep = MempoolStep & { rate: number };

/** What waits in front: steps tell it from `least` to `most` virtual bytes. */
export type MempoolPlace = {
  least: number;
  most: number;
  /** The block that it would be in where `most` is in front: 1 is the next. */
  block: number;
};

/**
 * The place of a transaction in the mempool by what counts for it.
 *
 * @param steps highest rate first; the transaction is among them, by the rate that it pays itself
 * @param tx.rate what counts for its place, in the unit of the steps
 * @param tx.ownRate what it pays itself
 */
export function findMempoolPlace(
  steps: readonly RatedStep[],
  { rate, ownRate, vsize }: { rate: number; ownRate: number; vsize: number },
): MempoolPlace {
  let least = 0;
  let own = 0;
  for (const [i, step] of steps.entries()) {
    const below = steps[i - 1]?.rate ?? Number.POSITIVE_INFINITY;
    const others = step.vsize - (ownRate >= step.rate && ownRate < below ? Math.min(vsize, step.vsize) : 0);
    if (rate >= step.rate) {
      own = others;
      break;
    }
    least += others;
  }
  return { least, most: least + own, block: Math.floor((least + own) / BLOCK_VSIZE) + 1 };
}
