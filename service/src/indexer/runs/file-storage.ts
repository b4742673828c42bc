import { readdirSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../db/private-files.ts';
import type { TxLogWriter } from '../tx-log/write-tx-log.ts';
import { beginRunFile } from './begin-run-file.ts';
import { startMerge } from './merge-runs.ts';
import { startThreadMerge } from './merge-thread.ts';
import type { Run } from './run-set.ts';
import type { RunStorage } from './run-storage.ts';

type Garbage = { name: string; goneMs: number };

/**
 * Keeps each run in a file of its own, outputs included. A file is whole and on the disk before the database says that it is there, and
 * is removed after the database has brought to the disk that it is not.
 *
 * @param options.folder of these files alone
 * @param options.graceMs a reader may be at a snapshot that has a run which is none any more: none lives so long, since handlers
 *   do not wait inside one
 * @param options.threadEntries merges of so many entries and more are another thread's
 * @param options.syncLog brings to the disk what the database has committed
 * @param options.openTxLog opens the log of transactions, in the same folder, where the places of the runs end, and not below `least`
 */
export function createFileStorage(options: {
  folder: string;
  graceMs: number;
  threadEntries: number;
  syncLog: () => Promise<void>;
  openTxLog: (
    runs: readonly Run[],
    least: number,
  ) => Promise<{ log: TxLogWriter; segments: readonly string[] }>;
}): RunStorage {
  const { folder, graceMs, threadEntries, syncLog, openTxLog } = options;
  makePrivateFolder(folder);
  /** Discarded in the transaction under way, and before. */
  let discarded: string[] = [];
  let garbage: Garbage[] = [];
  let deleting: Promise<void> | undefined;
  let txLog: TxLogWriter | undefined;
  /** What was committed is not written over, also where its block was taken out since: somebody may be reading it. */
  let committedEnd = 0;

  const deleteOld = async (names: readonly string[]): Promise<void> => {
    await syncLog();
    for (const name of names) await unlink(join(folder, name)).catch(() => {});
  };
  const isOld = ({ goneMs }: Garbage): boolean => goneMs <= performance.now() - graceMs;

  return {
    takenIds: [],
    begin: (runId) => beginRunFile(folder, runId),
    merge(sources, runId) {
      const entries = countEntries(sources);
      return entries < threadEntries
        ? startMerge(undefined, sources, beginRunFile(folder, runId))
        : startThreadMerge(folder, sources, runId, entries);
    },
    async discard({ fileName, file }) {
      file?.close();
      discarded.push(fileName);
    },
    addTxPages: (pages) => txLog!.append(pages),
    // Outputs are in the files of their runs, and the places of transactions.
    async cut() {},
    sync: () => txLog!.sync(),
    committed() {
      committedEnd = txLog!.end;
      const goneMs = performance.now();
      garbage.push(...discarded.map((name) => ({ name, goneMs })));
      discarded = [];
    },
    async deleteGarbage() {
      if (deleting) return;
      const old = garbage.filter(isOld);
      garbage = garbage.filter((each) => !isOld(each));
      if (old.length === 0) return;
      // Nobody waits for a large file to be freed.
      deleting = deleteOld(old.map(({ name }) => name))
        // They are found again at the next start.
        .catch(() => {})
        .finally(() => {
          deleting = undefined;
        });
    },
    get hasGarbage() {
      return !deleting && garbage[0] !== undefined && isOld(garbage[0]);
    },
    async reload(runs) {
      discarded = [];
      txLog?.close();
      const opened = await openTxLog(runs, committedEnd);
      txLog = opened.log;
      const used = new Set([...runs.map(({ fileName }) => fileName), ...opened.segments]);
      const goneMs = performance.now();
      const unused = readdirSync(folder).filter((name) => !used.has(name));
      garbage = unused.map((name) => ({ name, goneMs }));
    },
  };
}

function countEntries(runs: readonly Run[]): number {
  return runs.flatMap(({ entries }) => entries).reduce((sum, count) => sum + count, 0);
}
