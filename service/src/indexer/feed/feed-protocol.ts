import type { DatabaseLocation } from '../../db/database.ts';
import type { NodeError } from '../../node/node-error.ts';
import type { ForeseenPrevouts } from './foreseen-prevouts.ts';
import type { BatchLimits, PreparedBatch } from './prepare-batch.ts';

/** What the feed's thread is told at its start. */
export type FeedWorkerData = {
  nodeUrl: string;
  cookieFile: string | undefined;
  auxpow: boolean;
  /** Where the index is: what blocks spend is looked up in it. */
  database: DatabaseLocation;
};

/** Heights of the node's best chain, and how large batches of them may get. */
export type FeedRange = {
  fromHeight: number;
  /** Included. */
  toHeight: number;
  /** Of its block, where it is known; display hex. */
  toHash?: string | undefined;
  /** Number of the first output of the first block. */
  firstOutput: number;
  /** A batch is handed over as soon as it is wanted and this large, */
  least: BatchLimits;
  /** and grows until then, but no further than with the block that reaches this. */
  most: BatchLimits;
};

/** The latest blocks that the index has: what follows them spends what they made. */
export type RememberedRange = Pick<FeedRange, 'fromHeight' | 'toHeight' | 'firstOutput'>;

/** To the feed's thread. `run` names a request; messages of an earlier one are stale and passed over. */
export type FeedRequest =
  | { kind: 'fetch'; run: number; range: FeedRange }
  | { kind: 'remember'; run: number; range: RememberedRange }
  /** The next batch is wanted. */
  | { kind: 'next'; run: number }
  | { kind: 'stop'; run: number }
  /** Of no request. What was looked up in the chain as it is between the one before and the one after. */
  | { kind: 'foreseen'; foreseen: ForeseenPrevouts };

/** From the feed's thread: to each `next` one of these. */
export type FeedMessage =
  | { kind: 'batch'; run: number; batch: PreparedBatch }
  | { kind: 'end'; run: number }
  | { kind: 'failed'; run: number; error: FeedFailure };

/** From the feed's thread, at any time: what the node says of spent outputs is not believed any more. */
export type FeedNotice = { kind: 'distrust'; reason: string };

/**
 * A failure as it crosses threads: a node error by its parts; that the index is damaged, and anything else (a malformed block),
 * by its message.
 */
export type FeedFailure =
  | { from: 'node'; kind: NodeError['kind']; message: string; rpcCode: number | undefined }
  | { from: 'index'; message: string }
  | { from: 'block'; message: string };
