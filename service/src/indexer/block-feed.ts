import { Worker } from 'node:worker_threads';
import { NodeError } from '../node/node-error.ts';
import type { FeedMessage, FeedRequest, FeedWorkerData } from './feed-protocol.ts';
import type { FetchedBlock } from './fetched-block.ts';

/** Scanned blocks of the node's best chain, made ready by a thread of its own. */
export type BlockFeed = {
  /**
   * Yields the blocks of a range of heights in order. One range at a time; leaving the loop ends it.
   *
   * They are of the best chain at the time of fetching: check that each follows the one before.
   * @throws NodeError when the node does not answer; Error when a block is malformed
   */
  blocks(fromHeight: number, toHeight: number): AsyncGenerator<FetchedBlock, void, void>;
  close(): Promise<void>;
};

/** Starts the thread. */
export function startBlockFeed(data: FeedWorkerData): BlockFeed {
  const worker = new Worker(new URL('./feed-worker.ts', import.meta.url), { workerData: data });
  let run = 0;
  let queue: FeedMessage[] = [];
  let wake: (() => void) | undefined;
  let closed = false;

  const send = (request: FeedRequest): void => worker.postMessage(request);
  worker.on('message', (message: FeedMessage) => {
    if (message.run !== run) return;
    queue.push(message);
    wake?.();
  });
  // Nobody listens to its errors: a crash of this thread ends ours, and whoever watches over ours starts both anew.
  worker.once('exit', () => {
    closed = true;
    wake?.();
  });

  const next = async (): Promise<FeedMessage> => {
    for (;;) {
      const message = queue.shift();
      if (message) return message;
      if (closed) throw new Error('The feed of blocks has ended.');
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  return {
    async *blocks(fromHeight, toHeight) {
      run++;
      queue = [];
      send({ kind: 'fetch', run, fromHeight, toHeight });
      try {
        for (;;) {
          const message = await next();
          if (message.kind === 'end') return;
          if (message.kind === 'failed') throw restoreFailure(message.error);
          send({ kind: 'taken', run, bytes: message.block.scan.raw.length });
          yield message.block;
        }
      } finally {
        send({ kind: 'stop', run });
      }
    },
    async close() {
      await worker.terminate();
    },
  };
}

function restoreFailure(failure: (FeedMessage & { kind: 'failed' })['error']): Error {
  if (failure.from === 'block') return new Error(failure.message);
  const details = failure.rpcCode === undefined ? {} : { rpcCode: failure.rpcCode };
  return new NodeError(failure.kind, failure.message, details);
}
