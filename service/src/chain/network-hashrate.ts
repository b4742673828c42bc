/** The network's hashrate as responses have it. */

import type { HashrateWindowJson } from '@coinfront/api/mining.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { BlockRecord, ChainView } from './chain-view.ts';
import { type HashrateWindow, hashrateWindows, measureWindow } from './hashrate-rules.ts';

/** Measures each window of {@link hashrateWindows} up to the tip. */
export async function measureHashrate(view: ChainView, tip: BlockRecord): Promise<HashrateWindow[]> {
  return await Promise.all(
    hashrateWindows.map(async (blocks) =>
      measureWindow(blocks, tip, await view.findBlockAt(tip.height - blocks)),
    ),
  );
}

/** A window in a body: what is unknown is null. */
export function serialiseWindow(window: HashrateWindow): HashrateWindowJson {
  const { blocks, seconds, milliHashesPerSecond } = window;
  return {
    blocks,
    seconds: seconds ?? null,
    hashes_per_second: formatHashrate(milliHashesPerSecond),
    block_interval_seconds: seconds === undefined ? null : seconds / blocks,
  };
}

/** Hashes per second as a decimal with three places; null when unknown. */
export function formatHashrate(milliHashesPerSecond: bigint | undefined): string | null {
  return milliHashesPerSecond === undefined ? null : formatAmount(milliHashesPerSecond, 3);
}
