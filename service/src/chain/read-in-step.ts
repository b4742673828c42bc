/** Reads for answers that an index behind its node would get wrong. */

import { setTimeout as delay } from 'node:timers/promises';
import type { ChainView, ReadChain } from './chain-view.ts';

/** The marks of whole states are a few milliseconds late after each block and each look at the mempool. */
const ATTEMPTS = 10;
const PAUSE_MS = 50;
/** Looks at a large mempool are some time apart. */
const MAX_BEHIND_MS = 120_000;

/**
 * Reads a whole state of the index that holds what the node had a moment ago, two minutes at most.
 *
 * @returns the value in a box; undefined when there is no such state
 */
export async function readInStep<T>(
  { readChain, now }: { readChain: ReadChain; now: () => number },
  read: (view: ChainView) => Promise<T>,
): Promise<{ value: T } | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await delay(PAUSE_MS);
    const found = await readChain(async (view) => {
      const synced = view.tip && (await view.getSynced());
      if (synced === undefined) return undefined;
      return now() - synced.atMs > MAX_BEHIND_MS ? ('behind' as const) : { value: await read(view) };
    });
    if (found === 'behind') return undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
