import { Worker } from 'node:worker_threads';
import { DatabaseDamagedError } from '../../db/damage.ts';
import { NodeError } from '../../node/node-error.ts';
import type {
  FeedMessage,
  FeedNotice,
  FeedRange,
  FeedRequest,
  FeedWorkerData,
  RememberedRange,
} from './feed-protocol.ts';
import type { ForeseenPrevouts } from './foreseen-prevouts.ts';
import type { PreparedBatch } from './prepare-batch.ts';

/** Blocks of the node's best chain, made ready in batches by a thread of its own. */
export type BlockFeed = {
  /**
   * Yields the blocks of a range of heights in order. One range at a time; leaving the loop ends it. While a batch is used
   * the next one grows.
   *
   * They are of the best chain at the time of fetching, and each follows the one before; where the node has changed
   * branches they end. Check that the first follows yours.
   * @throws NodeError when the node does not answer; Error when a block is malformed; what was not yet handed over is dropped
   */
  batches(range: FeedRange): AsyncGenerator<PreparedBatch, void, void>;
  /**
   * Fetches blocks that the index has, so that those that follow them are made ready sooner. The last of them it yields, made ready as if they
   * were new, for {@link ChainIndex.rehearse}. The next range ends it.
   */
  remember(range: RememberedRange): AsyncGenerator<PreparedBatch, void, void>;
  /** Tells what the mempool spends, looked up in what is committed: blocks that mine it are made ready sooner. Its buffers are handed over. */
  foresee(foreseen: ForeseenPrevouts): void;
  close(): Promise<void>;
};

/** What the thread is asked for. */
type Asked = { kind: 'fetch'; range: FeedRange } | { kind: 'remember'; range: RememberedRange };

/** A request to the thread, and what it has answered. */
type Run = { readonly number: number; answer?: FeedMessage | undefined; wake?: () => void; isOver: boolean };

/** Room for young objects: with less there is more to collect, and with more memory only grows. */
const YOUNG_MB = 12;
/** Below 2 GB V8 collects at twice what is in use: three million transactions took 0.63 GB instead of 0.65, and no more of the processor. */
const OLD_MB = 2_000;

/**
 * Starts the thread.
 *
 * @param onDistrust is told why what the node says of spent outputs is not believed any more
 */
export function startBlockFeed(data: FeedWorkerData, onDistrust?: (reason: string) => void): BlockFeed {
  const worker = new Worker(new URL('./feed-worker.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
  });
  let current: Run = { number: 0, isOver: true };
  let closed = false;

  const send = (request: FeedRequest): void => worker.postMessage(request);
  worker.on('message', (message: FeedMessage | FeedNotice) => {
    if (message.kind === 'distrust') {
      onDistrust?.(message.reason);
      return;
    }
    if (message.run !== current.number) return;
    current.answer = message;
    current.wake?.();
  });
  // Nobody listens to its errors: a crash of this thread ends ours, and whoever watches over ours starts both anew.
  worker.once('exit', () => {
    closed = true;
    current.wake?.();
  });

  const begin = (): Run => {
    current.isOver = true;
    current.wake?.();
    current = { number: current.number + 1, isOver: false };
    return current;
  };

  /** Undefined when another run has begun. */
  const next = async (run: Run): Promise<FeedMessage | undefined> => {
    if (run.isOver) return undefined;
    run.answer = undefined;
    send({ kind: 'next', run: run.number });
    while (!run.answer) {
      if (closed) throw new Error('The feed of blocks has ended.');
      await new Promise<void>((resolve) => {
        run.wake = resolve;
      });
      if (run.isOver) return undefined;
    }
    return run.answer;
  };

  /** Begins when it is first iterated. */
  async function* ask(request: Asked): AsyncGenerator<PreparedBatch, void, void> {
    const run = begin();
    send({ ...request, run: run.number });
    try {
      for (;;) {
        const message = await next(run);
        if (message === undefined || message.kind === 'end') return;
        if (message.kind === 'failed') throw restoreFailure(message.error);
        yield message.batch;
      }
    } finally {
      send({ kind: 'stop', run: run.number });
    }
  }

  return {
    batches: (range) => ask({ kind: 'fetch', range }),
    remember: (range) => ask({ kind: 'remember', range }),
    foresee(foreseen) {
      const buffers = [foreseen.outpoints, foreseen.outputIds, foreseen.values, foreseen.keys];
      worker.postMessage(
        { kind: 'foreseen', foreseen } satisfies FeedRequest,
        buffers.map(({ buffer }) => buffer),
      );
    },
    async close() {
      await worker.terminate();
    },
  };
}

function restoreFailure(failure: (FeedMessage & { kind: 'failed' })['error']): Error {
  if (failure.from === 'index') return new DatabaseDamagedError(failure.message);
  if (failure.from === 'block') return new Error(failure.message);
  const details = failure.rpcCode === undefined ? {} : { rpcCode: failure.rpcCode };
  return new NodeError(failure.kind, failure.message, details);
}
