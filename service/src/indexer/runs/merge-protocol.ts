import type { Run } from './run-set.ts';

/** A run of a file, as it crosses threads. */
export type SentRun = Omit<Run, 'file'>;

/** To the thread that merges. */
export type MergeRequest =
  | { kind: 'merge'; number: number; folder: string; runId: number; sources: readonly SentRun[] }
  | { kind: 'abandon'; number: number };

/** From it: of each merge one of these, also where it is abandoned. */
export type MergeMessage =
  | { kind: 'merged'; number: number; run: SentRun }
  | { kind: 'failed'; number: number; message: string; isDamage: boolean; code: string | undefined };
