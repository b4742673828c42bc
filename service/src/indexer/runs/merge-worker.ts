import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { isDamage } from '../../db/damage.ts';
import { beginRunFile } from './begin-run-file.ts';
import type { MergeMessage, MergeRequest } from './merge-protocol.ts';
import { type Merge, startMerge } from './merge-runs.ts';
import { openRunFile } from './run-file.ts';
import type { Run } from './run-set.ts';

/** The thread that merges files of runs. All merges go on together, so that a small one need not wait for a large one. */

const ENTRIES_AT_ONCE = 50_000;

const port = parentPort!;
const merges = new Map<number, Merge>();

port.on('message', (request: MergeRequest) => {
  if (request.kind === 'abandon') abandon(request.number);
  else begin(request);
});

function begin({ number, folder, runId, sources }: MergeRequest & { kind: 'merge' }): void {
  try {
    const opened = sources.map((run): Run => ({ ...run, file: openRunFile(folder, run.fileName, run) }));
    merges.set(number, startMerge(undefined, opened, beginRunFile(folder, runId)));
  } catch (error) {
    tellFailure(number, error);
    return;
  }
  if (merges.size === 1) void goOn();
}

/** One that has come to its end was answered already. */
function abandon(number: number): void {
  const merge = end(number);
  if (!merge) return;
  merge.abandon();
  tellFailure(number, new Error('the merge was abandoned'));
}

async function goOn(): Promise<void> {
  while (merges.size > 0) {
    for (const [number, merge] of [...merges]) if (merges.has(number)) await advance(number, merge);
    await nextTurn();
  }
}

async function advance(number: number, merge: Merge): Promise<void> {
  try {
    const merged = await merge.advance(ENTRIES_AT_ONCE);
    if (!merged) return;
    const { file, ...run } = merged.run;
    file?.close();
    end(number);
    post({ kind: 'merged', number, run });
  } catch (error) {
    end(number)?.abandon();
    tellFailure(number, error);
  }
}

/** Forgets a merge, and lets go of what it reads. */
function end(number: number): Merge | undefined {
  const merge = merges.get(number);
  merges.delete(number);
  for (const { file } of merge?.sources ?? []) file?.close();
  return merge;
}

function tellFailure(number: number, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error as NodeJS.ErrnoException;
  post({ kind: 'failed', number, message, isDamage: isDamage(error), code });
}

function post(message: MergeMessage): void {
  port.postMessage(message);
}
