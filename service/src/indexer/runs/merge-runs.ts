import type { Writer } from '../../db/database.ts';
import { openEntryStreams } from './entry-streams.ts';
import { createRunBuilder, type RunBuilder } from './run-builder.ts';
import { createFilter, type RunFilter } from './run-filter.ts';
import { coinRuns, type RunKind, runKinds } from './run-kinds.ts';
import type { PageRow } from './run-page.ts';
import type { Run } from './run-set.ts';

/** Makes one run of several neighbours, slice by slice. Its pages are of no use to anybody until it is written that it is there. */
export type Merge = {
  readonly sources: readonly Run[];
  readonly id: number;
  /**
   * Goes on with about so many entries, within a transaction of the caller.
   * @returns the run and its filters when all is done
   */
  advance(entries: number): Promise<MergedRun | undefined>;
};

export type MergedRun = { readonly run: Run; readonly filters: (RunFilter | undefined)[] };

/** Pages that are written at once. */
const WRITE_AT_ONCE = 128;
/** A larger run has no filter: nobody could hold it, and most of what is asked is in the largest runs. */
const MOST_FILTERED_KEYS = 16_000_000;

/** @param sources neighbours, the oldest first */
export function startMerge(writer: Writer, sources: readonly Run[], id: number): Merge {
  const filters: (RunFilter | undefined)[] = [];
  const entries: number[] = [];
  const keys: number[] = [];
  let current: KindMerge | undefined;

  return {
    sources,
    id,
    async advance(budget) {
      let left = budget;
      while (left > 0 && entries.length < runKinds.length) {
        const kind = runKinds[entries.length]!;
        current ??= beginKind(writer, kind, sources, id);
        left -= await current.advance(left);
        if (!current.isDone) continue;
        filters.push(current.filter);
        entries.push(current.builder.entries);
        keys.push(current.builder.keys);
        current = undefined;
      }
      if (entries.length < runKinds.length) return undefined;
      const [first, last] = [sources[0]!, sources.at(-1)!];
      const run: Run = {
        id,
        firstHeight: first.firstHeight,
        lastHeight: last.lastHeight,
        firstOutput: first.firstOutput,
        endOutput: last.endOutput,
        txs: sources.reduce((sum, { txs }) => sum + txs, 0),
        entries,
        keys,
      };
      return { run, filters };
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

function beginKind(writer: Writer, kind: RunKind, sources: readonly Run[], id: number): KindMerge {
  const keys = sources.reduce((sum, run) => sum + run.keys[kind.code]!, 0);
  const filter = kind === coinRuns || keys > MOST_FILTERED_KEYS ? undefined : createFilter(keys);
  const builder = createRunBuilder(kind, id, filter);
  const streams = openEntryStreams(
    writer,
    sources.filter((run) => run.entries[kind.code]! > 0),
    kind,
  );
  let isDone = false;
  const write = async (): Promise<void> => {
    const pages = builder.takePages();
    await writer.insert(kind.table, pages.length, pageColumns(pages));
  };
  return {
    builder,
    filter,
    get isDone() {
      return isDone;
    },
    async advance(budget) {
      let done = 0;
      while (done < budget) {
        await streams.readPages();
        if (streams.haveEnded) {
          builder.finish();
          await write();
          isDone = true;
          break;
        }
        done += streams.takeInOrder(builder, budget - done);
        if (builder.waitingPages >= WRITE_AT_ONCE) await write();
      }
      await write();
      return Math.max(1, done);
    },
  };
}

/** Columns of rows of pages. */
export function pageColumns(pages: readonly PageRow[]): [number[], Uint8Array[]] {
  return [pages.map(({ page }) => page), pages.map(({ data }) => data)];
}
