/** Where a transaction stands among those that wait. */

import { BLOCK_VSIZE, type MempoolStep } from './mempool-blocks.ts';

/** Transactions that pay at least this rate, and less than `below`. */
export type RatedStep = MempoolStep & { rate: number; below: number };

/** What waits in front: steps tell it from `least` to `most` virtual bytes. */
export type MempoolPlace = {
  least: number;
  most: number;
  /** The block that it would be in where `most` is in front: 1 is the next. */
  block: number;
};

/**
 * The place of a transaction in the mempool.
 *
 * @param steps highest rate first
 * @param rate what counts for its place, in the unit of the steps
 * @param own what is mined together with it, itself included, by the rate that each pays itself: it is among the steps, and not ahead
 */
export function findMempoolPlace(
  steps: readonly RatedStep[],
  rate: number,
  own: readonly { rate: number; vsize: number }[],
): MempoolPlace {
  let least = 0;
  let beside = 0;
  for (const step of steps) {
    if (rate >= step.below) break;
    const ofOwn = own.filter((each) => each.rate >= step.rate && each.rate < step.below);
    const others = Math.max(0, step.vsize - ofOwn.reduce((sum, { vsize }) => sum + vsize, 0));
    if (rate >= step.rate) {
      beside = others;
      break;
    }
    least += others;
  }
  return { least, most: least + beside, block: Math.floor((least + beside) / BLOCK_VSIZE) + 1 };
}
