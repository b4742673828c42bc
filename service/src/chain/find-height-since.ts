import type { BlockRecord, ChainView } from './chain-view.ts';

/** The first block whose median time is not before a moment, Unix seconds: median times ascend, so halving finds it. Undefined above the tip. */
export async function findHeightSince(
  view: ChainView,
  tip: BlockRecord,
  sinceS: number,
): Promise<number | undefined> {
  if (sinceS === Number.NEGATIVE_INFINITY) return 0;
  if (tip.medianTimePast < sinceS) return undefined;
  let low = 0;
  let high = tip.height;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const block = await view.findBlockAt(middle);
    if (block!.medianTimePast < sinceS) low = middle + 1;
    else high = middle;
  }
  return low;
}
