import type { HashrateWindowJson } from '@coinfront/api/mining.ts';
import { coin } from './coin.ts';
import { pulse } from './pulse.ts';
import { useStore } from './store.ts';

/** Fewer blocks tell more of luck than of the pace. */
const LEAST_BLOCKS = 100;

/** How long a block takes, in seconds. */
export type BlockInterval = {
  seconds: number;
  /** Of how many latest blocks it is the mean; undefined where it is what the coin aims at. */
  blocks: number | undefined;
};

/** How long blocks took lately; what the coin aims at while too few are known. */
export function useBlockInterval(): BlockInterval {
  const windows = useStore(pulse).stats?.hashrate ?? [];
  return findInterval(windows, useStore(coin)?.block_interval_seconds ?? 600);
}

/** The interval of the shortest window that says something. */
export function findInterval(windows: readonly HashrateWindowJson[], aim: number): BlockInterval {
  for (const { blocks, block_interval_seconds: seconds } of windows) {
    if (blocks >= LEAST_BLOCKS && seconds !== null && seconds > 0) return { seconds, blocks };
  }
  return { seconds: aim, blocks: undefined };
}
