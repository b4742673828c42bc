/** The network's hashrate from the chain itself. */

import type { BlockRecord } from './chain-view.ts';

/** Lengths of the windows, in blocks. */
export const hashrateWindows: readonly number[] = [12, 144, 2016];

export type HashrateWindow = {
  blocks: number;
  /** Between the header times at the ends; undefined when the window reaches below genesis. */
  seconds: number | undefined;
  /** 1,000 times work gained / seconds, rounded down; undefined when it cannot be known. */
  milliHashesPerSecond: bigint | undefined;
};

/**
 * Work gained over a window divided by its time.
 *
 * Miners may set times that run backwards: where the span is not positive, the rate is unknown, which is not 0.
 *
 * @param start - the block `blocks` below the tip
 */
export function measureWindow(
  blocks: number,
  tip: BlockRecord,
  start: BlockRecord | undefined,
): HashrateWindow {
  if (start === undefined) return { blocks, seconds: undefined, milliHashesPerSecond: undefined };
  const seconds = tip.time - start.time;
  if (seconds <= 0) return { blocks, seconds, milliHashesPerSecond: undefined };
  return {
    blocks,
    seconds,
    milliHashesPerSecond: ((tip.chainwork - start.chainwork) * 1000n) / BigInt(seconds),
  };
}
