import type { NodeError } from '../node/node-error.ts';
import type { FetchedBlock } from './fetched-block.ts';

/** What the feed's thread is told at its start. */
export type FeedWorkerData = { nodeUrl: string; cookieFile: string | undefined; auxpow: boolean };

/** To the feed's thread. `run` names a request; messages of an earlier one are stale and passed over. */
export type FeedRequest =
  | { kind: 'fetch'; run: number; fromHeight: number; toHeight: number }
  | { kind: 'taken'; run: number; bytes: number }
  | { kind: 'stop'; run: number };

/** From the feed's thread. */
export type FeedMessage =
  | { kind: 'block'; run: number; block: FetchedBlock }
  | { kind: 'end'; run: number }
  | { kind: 'failed'; run: number; error: FeedFailure };

/** A failure as it crosses threads: a node error by its parts, anything else (a malformed block) by its message. */
export type FeedFailure =
  | { from: 'node'; kind: NodeError['kind']; message: string; rpcCode: number | undefined }
  | { from: 'block'; message: string };

/** Scanned bytes that may wait to be taken: enough for the writer never to wait, few enough to stay small. */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;
