import type { OutputCopy } from './copy-outputs.ts';
import type { Merge } from './merge-runs.ts';
import type { Run } from './run-set.ts';
import type { RunTarget } from './run-target.ts';

/**
 * Where the pages of runs are: in files beside the database (SQLite), or in its tables (PostgreSQL). What it does belongs to
 * the caller's transaction: after its rollback, {@link RunStorage.reload}.
 */
export type RunStorage = {
  /** Begins the pages of a run. */
  begin(runId: number): RunWriting;
  /** Begins to make one run of neighbours, the oldest first. */
  merge(sources: readonly Run[], runId: number): Merge;
  /** The pages of a run are of no use any more. */
  discard(run: Run): Promise<void>;
  /** Takes the outputs from a number on out, where they are not with the runs. */
  cutOutputs(from: number): Promise<void>;
  /** What was discarded before is gone for every reader to come. */
  committed(): void;
  /** Numbers that no new run may have yet. */
  readonly takenIds: readonly number[];
  /** Deletes some of what is of no use any more: about as many pages as so many entries take. */
  deleteGarbage(entries: number): Promise<void>;
  readonly hasGarbage: boolean;
  /** Forgets what was undone; `runs` are those that there are. */
  reload(runs: readonly Run[]): Promise<void>;
};

/** The pages of a run under way. */
export type RunWriting = RunTarget & {
  readonly runId: number;
  /** Adds outputs, in the order of their numbers: `bytes` has the 24 bytes of each, `first` is the number of the first of them all. */
  addOutputs(bytes: Uint8Array, first: number): Promise<void>;
  /** Begins to add those of the runs that are merged, behind all kinds; undefined where they stay where they are. */
  copyOutputs(sources: readonly Run[]): OutputCopy | undefined;
  finish(blocks: { firstHeight: number; lastHeight: number }): Promise<FinishedRun>;
  /** Gives up what was written, wherever it was. */
  abandon(): void;
};

/** What is to be noted of a run that is written. */
export type FinishedRun = {
  /** Its file; empty where its pages are in tables. */
  readonly fileName: string;
  readonly file: Run['file'];
};
