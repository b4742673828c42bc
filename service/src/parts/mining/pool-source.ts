/** What is read of a pool's software, whichever it is. Everything here is a claim of the source; unknown is undefined. */

import type { PoolSourceKind } from '@coinfront/api/mining.ts';
import type { reportedStates } from '@coinfront/api/mining-reports.ts';

/** A hashrate over a window; the window is undefined where the source does not say. */
export type SourceHashrate = {
  windowSeconds: number | undefined;
  milliHashesPerSecond: bigint | undefined;
};

/** One miner of a source. */
export type SourceMiner = {
  /** The whole name that the source has, mostly an address. Never shown where `address` is another. */
  key: string;
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
  /** Sum of the difficulties of shares that were refused, as far back as the source counts. */
  rejectedShares: number | undefined;
  /** Effort since the last block as the source itself computes it. */
  effort: number | undefined;
  bestShare: number | undefined;
  /** Highest hashrate first; undefined where the source has no list. */
  minerList: readonly SourceMiner[] | undefined;
  /** Whether the list has all of them. */
  isListComplete: boolean;
  /** Newest first; undefined where the source lists none. */
  blocks: readonly SourceBlock[] | undefined;
  /** Newest first; undefined where the source lists none. */
  payments: readonly PaidMiner[] | undefined;
};

/** A block that a pool says it found. */
export type SourceBlock = {
  height: number | undefined;
  /** In display order. */
  hash: string | undefined;
  foundAtMs: number | undefined;
  state: (typeof reportedStates)[number] | undefined;
  /** Coins as the pool's JSON has them. */
  reward: number | undefined;
  effort: number | undefined;
  finder: string | undefined;
};

/** A payment that a pool says it made, and to whom. */
export type PaidMiner = SourcePayment & { address: string | undefined };

/** One machine of a miner. */
export type SourceWorker = {
  /** Its own name, without the miner's; undefined where it has none that can be shown. */
  name: string | undefined;
  hashrates: readonly SourceHashrate[];
  bestShare: number | undefined;
  lastShareAtMs: number | undefined;
};

/** A payment that a pool says it made. */
export type SourcePayment = {
  atMs: number | undefined;
  /** Coins as the pool's JSON has them. */
  amount: number;
  txid: string | undefined;
};

/** What a source says of one miner when it is asked for that one. Coins are numbers, as the pool's JSON has them. */
export type SourceMinerDetail = Omit<SourceMiner, 'key' | 'address'> & {
  /** Sum of the difficulties of accepted shares, as far back as the source counts. */
  acceptedShares: number | undefined;
  rejectedShares: number | undefined;
  /** Shares that the next payout counts. */
  pendingShares: number | undefined;
  pendingBalance: number | undefined;
  paid: number | undefined;
  paidToday: number | undefined;
  lastPaymentAtMs: number | undefined;
  /** Newest first; undefined where the pool keeps none, or did not say. */
  payments: readonly SourcePayment[] | undefined;
  /** Highest hashrate first; undefined where the source does not say. */
  workerList: readonly SourceWorker[] | undefined;
};

/** A way to read a pool. */
export type PoolSource = {
  kind: PoolSourceKind;
  /** Whether the pool itself publishes a list of its miners: what it says of one may be told to anybody who has a part of its name. */
  publishesMiners: boolean;
  /** Ends by itself in bounded time. @throws Error when nothing of it can be used */
  read(signal: AbortSignal): Promise<PoolReading>;
  /**
   * Asks for one miner, by the whole name. Ends by itself in bounded time.
   *
   * @throws Error when the pool does not answer, or says nothing that can be used
   */
  readMiner(key: string, signal: AbortSignal): Promise<SourceMinerDetail>;
};

/** Miners that are listed of one source at most. */
export const maxListedMiners = 5_000;
/** Machines and payments of one miner that are read at most. */
export const maxWorkersRead = 100;
export const maxPaymentsRead = 25;

/** A miner of whom nothing is known. */
export const unknownMiner: SourceMinerDetail = {
  hashrates: [],
  workers: undefined,
  bestShare: undefined,
  lastShareAtMs: undefined,
  acceptedShares: undefined,
  rejectedShares: undefined,
  pendingShares: undefined,
  pendingBalance: undefined,
  paid: undefined,
  paidToday: undefined,
  lastPaymentAtMs: undefined,
  payments: undefined,
  workerList: undefined,
};
