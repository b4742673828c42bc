import type { FinishedPage } from '../transactions/tx-page.ts';
import type { TxPlace } from '../tx-log/tx-place.ts';
import type { SectionCopy } from './copy-sections.ts';
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
  /** Adds the pages of transactions of new blocks. @returns their places, where those are to be kept with the run */
  addTxPages(pages: readonly (FinishedPage & { height: number })[]): Promise<TxPlace[]>;
  /** Takes out what is not with the runs: outputs from a number on, and transactions. */
  cut(outputs: { from: number; txsFrom: number }): Promise<void>;
  /** When it has returned, transactions that were added stay also where the machine stops. */
  sync(): Promise<void>;
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
  /** Adds what is in the order of the chain. */
  addInOrder(entries: {
    /** 24 bytes each. */
    outputs: Uint8Array;
    /** The number of the first of them. */
    firstOutput: number;
    places: readonly TxPlace[];
  }): Promise<void>;
  /** Begins to add that of the runs that are merged, behind all kinds; undefined where it stays where it is. */
  copyInOrder(sources: readonly Run[]): SectionCopy | undefined;
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
