import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DatabaseDamagedError } from '../../db/damage.ts';
import type { MergeMessage, MergeRequest } from './merge-protocol.ts';
import type { Merge } from './merge-runs.ts';
import { openRunFile } from './run-file.ts';
import type { Run } from './run-set.ts';

/** Room for young objects: with less there is more to collect, and with more memory only grows. */
const YOUNG_MB = 4;

/**
 * Merges of so many entries and more have a thread of their own: it goes on for a minute with one of them, and the small ones, for which
 * the writer may have to wait, need all of the other thread then.
 */
const LARGE_ENTRIES = 10_000_000;

/** Each merge is answered once, also where it is abandoned. */
type Waiting = { settle(message: MergeMessage): void };

/** A thread for the merges of all indexes of this one; it is started when there is something to merge. */
type MergeThread = { worker: Worker | undefined; readonly underWay: Map<number, Waiting> };

const small: MergeThread = { worker: undefined, underWay: new Map() };
const large: MergeThread = { worker: undefined, underWay: new Map() };
let lastNumber = 0;

/**
 * Merges runs that are files in another thread, so that the one that writes has the time for what comes. {@link Merge.advance} only looks
 * whether it is done.
 *
 * @param entries of all sources together
 */
export function startThreadMerge(
  folder: string,
  sources: readonly Run[],
  runId: number,
  entries: number,
): Merge {
  const thread = entries < LARGE_ENTRIES ? small : large;
  const number = ++lastNumber;
  let answer: MergeMessage | undefined;
  let isAbandoned = false;
  const removeMerged = (): void => {
    if (answer?.kind === 'merged') rmSync(join(folder, answer.run.fileName), { force: true });
  };
  const done = new Promise<void>((resolve) => {
    thread.underWay.set(number, {
      settle(message) {
        answer = message;
        if (isAbandoned) removeMerged();
        resolve();
      },
    });
  });
  const sent = sources.map(({ file, ...run }) => run);
  send(thread, { kind: 'merge', number, folder, runId, sources: sent });
  return {
    sources,
    runId,
    done,
    get canAdvance() {
      return answer !== undefined;
    },
    async advance() {
      if (answer === undefined) return undefined;
      if (answer.kind === 'failed') throw restoreFailure(answer);
      const { run } = answer;
      const file = openRunFile(folder, run.fileName, run);
      return { run: { ...run, file }, txFilter: undefined };
    },
    abandon() {
      isAbandoned = true;
      // It may have been merged just now, which is not heard yet.
      if (answer === undefined) send(thread, { kind: 'abandon', number });
      else removeMerged();
    },
  };
}

function send(thread: MergeThread, request: MergeRequest): void {
  thread.worker ??= startWorker(thread);
  thread.worker.postMessage(request);
}

function startWorker(thread: MergeThread): Worker {
  const started = new Worker(new URL('./merge-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  // Merging is no reason to stay.
  started.unref();
  started.on('message', (message: MergeMessage) => {
    const waiting = thread.underWay.get(message.number);
    thread.underWay.delete(message.number);
    waiting?.settle(message);
  });
  // What it failed by comes before its end; whoever waits is told by that.
  started.on('error', () => {});
  started.on('exit', () => {
    if (thread.worker === started) thread.worker = undefined;
    failAll(thread, 'the thread that merges runs has ended');
  });
  return started;
}

function failAll({ underWay }: MergeThread, message: string): void {
  for (const [number, { settle }] of underWay)
    settle({ kind: 'failed', number, message, isDamage: false, code: undefined });
  underWay.clear();
}

function restoreFailure({ message, isDamage, code }: MergeMessage & { kind: 'failed' }): Error {
  return isDamage ? new DatabaseDamagedError(message) : Object.assign(new Error(message), code && { code });
}
