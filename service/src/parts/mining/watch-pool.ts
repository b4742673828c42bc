/** Reads a pool in the background: requests get what was last read. Only who asks for one miner waits for the pool, for a moment. */

import { startPoller } from '../../poll.ts';
import { createMinerLookup, type MinerLookup } from './miners/look-up-miner.ts';
import type { PoolReading, PoolSource } from './pool-source.ts';

/** A reading, named by when it was read. */
export type KeptReading = PoolReading & { readAtMs: number };

/** What is known of one pool. */
export type PoolState = {
  /** Newest first. The one before is kept, too, so that a list can be paged while a new one comes. */
  readings: readonly KeptReading[];
  /** Whether the last attempt to read it failed. */
  failed: boolean;
};

export type PoolWatch = {
  kind: PoolSource['kind'];
  publishesMiners: boolean;
  current(): PoolState;
  /** What the pool says of one miner, asked now or a moment ago. */
  lookUpMiner: MinerLookup;
  stop(): Promise<void>;
};

const POLL_MS = 30_000;
/** All requests or files of one reading together. */
const READ_TIMEOUT_MS = 20_000;
const KEPT_READINGS = 2;

/** A pool of which nothing but its blocks is known. */
export const chainOnly: PoolWatch = {
  kind: 'chain',
  publishesMiners: false,
  current: () => ({ readings: [], failed: false }),
  lookUpMiner: async () => undefined,
  stop: async () => {},
};

/** Starts reading a source. */
export function watchPool(source: PoolSource, now: () => number, pollMs = POLL_MS): PoolWatch {
  let readings: readonly KeptReading[] = [];
  const poller = startPoller({
    async read(signal) {
      const reading = await source.read(AbortSignal.any([signal, AbortSignal.timeout(READ_TIMEOUT_MS)]));
      readings = [{ ...reading, readAtMs: now() }, ...readings].slice(0, KEPT_READINGS);
    },
    intervalMs: pollMs,
    describeError: () => 'unavailable',
  });
  return {
    kind: source.kind,
    publishesMiners: source.publishesMiners,
    lookUpMiner: createMinerLookup(source, now),
    current: () => ({ readings, failed: poller.current().error !== undefined }),
    stop: () => poller.stop(),
  };
}
