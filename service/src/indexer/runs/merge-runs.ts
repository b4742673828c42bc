import type { Reader } from '../../db/database.ts';
import type { SectionCopy } from './copy-sections.ts';
import { openEntryStreams } from './entry-streams.ts';
import { createRunBuilder, type RunBuilder } from './run-builder.ts';
import { createFilter, filterBytes, type RunFilter } from './run-filter.ts';
import { coinRuns, type RunKind, runKinds, txRuns } from './run-kinds.ts';
import type { Run } from './run-set.ts';
import type { RunWriting } from './run-storage.ts';

/** Makes one run of several neighbours, slice by slice. Its pages are of no use to anybody until it is written that it is there. */
export type Merge = {
  readonly sources: readonly Run[];
  readonly runId: number;
  /** Whether {@link Merge.advance} would do something. */
  readonly canAdvance: boolean;
  /** Fulfilled when a merge of another thread has come to its end, well or not; undefined where this thread merges. */
  readonly done: Promise<void> | undefined;
  /**
   * Goes on with about so many entries, within a transaction of the caller.
   * @returns the run when all is done
   */
  advance(entries: number): Promise<MergedRun | undefined>;
  /** Gives it up. */
  abandon(): void;
};

/** A run, and where it is in tables the filter of its transactions, which spares reading it. */
export type MergedRun = { readonly run: Run; readonly txFilter: RunFilter | undefined };

/** Entries that are added before what waits is written. */
const DRAIN_EVERY = 16_384;
/** A larger filter is not made: nobody could hold it. */
const MOST_FILTER_BYTES = 24 << 20;

/**
 * Merges in this thread.
 *
 * @param reader of the tables; undefined where runs are files
 * @param sources neighbours, the oldest first
 */
export function startMerge(reader: Reader | undefined, sources: readonly Run[], writing: RunWriting): Merge {
  let txFilter: RunFilter | undefined;
  const entries: number[] = [];
  const keys: number[] = [];
  let current: KindMerge | undefined;
  let inOrder: SectionCopy | undefined;

  return {
    sources,
    runId: writing.runId,
    canAdvance: true,
    done: undefined,
    abandon: () => writing.abandon(),
    async advance(budget) {
      let left = budget;
      while (left > 0 && entries.length < runKinds.length) {
        const kind = runKinds[entries.length]!;
        current ??= beginKind(reader, kind, sources, writing);
        left -= await current.advance(left);
        if (!current.isDone) continue;
        if (kind === txRuns && reader) txFilter = current.filter;
        entries.push(current.builder.entries);
        keys.push(current.builder.keys);
        current = undefined;
      }
      if (entries.length < runKinds.length || left <= 0) return undefined;
      inOrder ??= writing.copyInOrder(sources);
      if (inOrder?.advance(left)) return undefined;
      const [first, last] = [sources[0]!, sources.at(-1)!];
      const blocks = { firstHeight: first.firstHeight, lastHeight: last.lastHeight };
      const finished = await writing.finish(blocks);
      const run: Run = {
        ...blocks,
        id: writing.runId,
        firstOutput: first.firstOutput,
        endOutput: last.endOutput,
        txs: sources.reduce((sum, { txs }) => sum + txs, 0),
        entries,
        keys,
        file: finished.file,
        fileName: finished.fileName,
      };
      return { run, txFilter };
    },
  };
}

type KindMerge = {
  readonly builder: RunBuilder;
  readonly filter: RunFilter | undefined;
  readonly isDone: boolean;
  /** @returns how many entries were read */
  advance(entries: number): Promise<number>;
};

function beginKind(
  reader: Reader | undefined,
  kind: RunKind,
  sources: readonly Run[],
  writing: RunWriting,
): KindMerge {
  const keys = sources.reduce((sum, run) => sum + run.keys[kind.code]!, 0);
  const isFiltered = kind !== coinRuns && filterBytes(keys) <= MOST_FILTER_BYTES;
  const filter = isFiltered ? createFilter(keys) : undefined;
  const builder = createRunBuilder(kind, writing.begin(kind), filter);
  const streams = openEntryStreams(
    reader,
    sources.filter((run) => run.entries[kind.code]! > 0),
    kind,
  );
  let isDone = false;
  return {
    builder,
    filter,
    get isDone() {
      return isDone;
    },
    async advance(budget) {
      let done = 0;
      let drained = 0;
      while (done < budget) {
        await streams.readPages();
        if (streams.haveEnded) {
          builder.finish();
          writing.end(filter);
          isDone = true;
          break;
        }
        done += streams.takeInOrder(builder, budget - done);
        if (done - drained < DRAIN_EVERY) continue;
        await writing.drain();
        drained = done;
      }
      await writing.drain();
      return Math.max(1, done);
    },
  };
}
