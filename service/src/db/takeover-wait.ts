/**
 * How long the holder of the one-indexer lock waits before its first commit, from when it got the lock; milliseconds. A holder whose
 * session is gone, and does not know it yet, tells readers of its own process for a shorter time what the index has: see
 * `indexer/revision-lease.ts`.
 */
export const TAKEOVER_WAIT_MS = 500;
