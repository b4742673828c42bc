/** How long the blocks of this chain take, for estimates of times to come. */

import type { BlockRecord, ChainView } from './chain-view.ts';
import { hashrateWindows } from './hashrate-rules.ts';

/** Fewer blocks tell more of luck than of the pace. */
const LEAST_BLOCKS = 100;

const windows = hashrateWindows.filter((blocks) => blocks >= LEAST_BLOCKS).toReversed();

/** What the chain came to by a tip: views of one tip ask many times. */
const measured = new WeakMap<BlockRecord, Promise<number>>();

/**
 * Mean seconds between the latest blocks by their header times, over the longest window that the chain has: what is estimated
 * from it lies months ahead, and the pace of a day says little of that.
 *
 * @param aim the interval that the coin aims at, which is the answer while too few blocks are known, or times ran backwards
 */
export function measureBlockInterval(view: ChainView, tip: BlockRecord, aim: number): Promise<number> {
  const known = measured.get(tip);
  if (known !== undefined) return known;
  const measuring = measure(view, tip, aim);
  measured.set(tip, measuring);
  measuring.catch(() => measured.delete(tip));
  return measuring;
}

async function measure(view: ChainView, tip: BlockRecord, aim: number): Promise<number> {
  for (const blocks of windows) {
    const start = tip.height < blocks ? undefined : await view.findBlockAt(tip.height - blocks);
    const seconds = start === undefined ? 0 : tip.time - start.time;
    if (seconds > 0) return seconds / blocks;
  }
  return aim;
}
