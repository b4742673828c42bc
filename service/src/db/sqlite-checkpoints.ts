import { Worker } from 'node:worker_threads';

/**
 * Moves what commits wrote from the log of SQLite to its file. A commit that does this itself writes everything a second time and
 * waits for the disk; here a thread does it while the next step of the chain is prepared.
 */
export type Checkpoints = {
  /** Something was committed. */
  noteCommit(): void;
  close(): Promise<void>;
};

/**
 * Short enough that the log begins anew before the next block comes even where blocks come several times a second: what a commit
 * adds to the end of the file takes four times as long as what it writes over.
 */
const PAUSE_MS = 250;

/** The thread is started with the first checkpoint: many connections live shorter than that. */
export function startCheckpoints(file: string): Checkpoints {
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let atWork = false;
  let pending = false;

  const checkpoint = (): void => {
    timer = undefined;
    pending = false;
    atWork = true;
    worker ??= startWorker();
    worker.postMessage('checkpoint');
  };
  const plan = (): void => {
    timer ??= setTimeout(checkpoint, PAUSE_MS).unref();
  };
  const startWorker = (): Worker => {
    const started = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: file });
    started.on('message', () => {
      atWork = false;
      if (pending) plan();
    });
    // A full disk, say: the writer meets it as well, and says so. The next checkpoint is tried by a new thread.
    started.on('error', () => {});
    started.once('exit', () => {
      if (worker === started) worker = undefined;
      atWork = false;
    });
    started.unref();
    return started;
  };

  return {
    noteCommit() {
      if (atWork) pending = true;
      else plan();
    },
    async close() {
      clearTimeout(timer);
      const running = worker;
      if (!running) return;
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.ref();
      running.postMessage('close');
      await ended;
    },
  };
}
