import { Worker } from 'node:worker_threads';
import type { FollowReport } from './indexer/follow.ts';
import type { IndexerMessage, IndexerThreadData } from './indexer-thread.ts';

/** The indexer in its own thread, so that indexing never holds up an answer. */
export type Indexer = {
  /** The latest report; undefined until the first. */
  findReport(): FollowReport | undefined;
  /** Lets the batch under way commit, then ends the thread. */
  stop(): Promise<void>;
};

const RESTART_PAUSE_MS = 5_000;

/**
 * Starts the indexer's thread, and starts it anew when it ends by an error: every commit of its is whole, so it goes on
 * from the last one.
 */
export function startIndexer(data: IndexerThreadData, onCrash: (error: Error) => void): Indexer {
  let report: FollowReport | undefined;
  let stopping = false;
  let worker = run();

  function run(): { thread: Worker; ended: Promise<void> } {
    const thread = new Worker(new URL('./indexer-thread.ts', import.meta.url), { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: 64 } });
    thread.on('message', (message: IndexerMessage) => {
      report = message.report;
    });
    thread.on('error', (error) => onCrash(error instanceof Error ? error : new Error(String(error))));
    const ended = new Promise<void>((resolve) => {
      thread.once('exit', () => resolve());
    });
    void ended.then(() => {
      report = undefined;
      if (!stopping) {
        setTimeout(() => {
          if (!stopping) worker = run();
        }, RESTART_PAUSE_MS).unref();
      }
    });
    return { thread, ended };
  }

  return {
    findReport: () => report,
    async stop() {
      stopping = true;
      worker.thread.postMessage('stop');
      await worker.ended;
    },
  };
}
