/** What is read of a pool's software, whichever it is. Everything here is a claim of the source; unknown is undefined. */

import type { PoolSourceKind } from '@coinfront/api/mining.ts';

/** A hashrate over a window; the window is undefined where the source does not say. */
export type SourceHashrate = {
  windowSeconds: number | undefined;
  milliHashesPerSecond: bigint | undefined;
};

/** One miner of a source. */
export type SourceMiner = {
  /** As it may be shown. */
  address: string;
  hashrates: readonly SourceHashrate[];
  workers: number | undefined;
  bestShare: number | undefined;
  lastShareAtMs: number | undefined;
};

/** What a source says at one moment. */
export type PoolReading = {
  /** When the source wrote it, by its own clock; undefined where it does not say. */
  writtenAtMs: number | undefined;
  hashrates: readonly SourceHashrate[];
  miners: number | undefined;
  workers: number | undefined;
  /** Sum of the difficulties of shares since the last block. */
  shareDifficulty: number | undefined;
  /** Effort since the last block as the source itself computes it. */
  effort: number | undefined;
  bestShare: number | undefined;
  /** Highest hashrate first; undefined where the source has no list. */
  minerList: readonly SourceMiner[] | undefined;
  /** Whether the list has all of them. */
  isListComplete: boolean;
  /** Effort of blocks by their hash in display order. */
  blockEfforts: ReadonlyMap<string, number>;
};

/** A way to read a pool. */
export type PoolSource = {
  kind: PoolSourceKind;
  /** Ends by itself in bounded time. @throws Error when nothing of it can be used */
  read(signal: AbortSignal): Promise<PoolReading>;
};

/** Miners that are listed of one source at most. */
export const maxListedMiners = 5_000;
