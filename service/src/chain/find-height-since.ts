import type { BlockRecord, ChainView } from './chain-view.ts';
import { findFirstNumber } from './find-first-number.ts';

/** The first block whose median time is not before a moment, Unix seconds: median times ascend, so halving finds it. Undefined above the tip. */
export async function findHeightSince(
  view: ChainView,
  tip: BlockRecord,
  sinceS: number,
): Promise<number | undefined> {
  if (sinceS === Number.NEGATIVE_INFINITY) return 0;
  if (tip.medianTimePast < sinceS) return undefined;
  return await findFirstNumber(
    0,
    tip.height,
    async (height) => (await view.findBlockAt(height))!.medianTimePast >= sinceS,
  );
}
