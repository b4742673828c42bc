import type { Writer } from '../../db/database.ts';
import { readUint48 } from '../encoding/uint48.ts';
import { damaged, listPages } from './read-pages.ts';
import { createRunBuilder, type RunBuilder } from './run-builder.ts';
import { createFilter, type RunFilter } from './run-filter.ts';
import { coinRuns, type RunKind, runKinds } from './run-kinds.ts';
import { compareBytes, type PageRow, PLACES, type RunPage } from './run-page.ts';
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

/** Pages of one source that are read at once, and of the target that are written at once. */
const READ_AT_ONCE = 32;
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
  const streams = sources
    .filter((run) => run.entries[kind.code]! > 0)
    .map((run) => openStream(writer, run, kind));
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
        for (const stream of streams) if (stream.needsPage) await stream.readPage();
        const open = streams.filter((stream) => !stream.hasEnded);
        if (open.length === 0) {
          builder.finish();
          await write();
          isDone = true;
          break;
        }
        done += takeInOrder(kind, open, builder, budget - done);
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

/** The entries of one source, in order. */
type Stream = {
  data: Uint8Array;
  /** Offset of the entry that comes next, and the end of the page. */
  at: number;
  end: number;
  /** The first 48 bits of that entry: most entries are told apart by them. */
  head: number;
  readonly needsPage: boolean;
  readonly hasEnded: boolean;
  readPage(): Promise<void>;
};

function openStream(writer: Writer, run: Run, kind: RunKind): Stream {
  let pages: RunPage[] = [];
  let taken = 0;
  let expected: number | undefined = run.id * PLACES;
  const stream: Stream = {
    data: new Uint8Array(0),
    at: 0,
    end: 0,
    head: 0,
    get needsPage() {
      return stream.at === stream.end && expected !== undefined;
    },
    get hasEnded() {
      return stream.at === stream.end && expected === undefined;
    },
    async readPage() {
      if (taken === pages.length) {
        pages = await listPages(writer, run, kind, expected!, READ_AT_ONCE);
        taken = 0;
      }
      const page = pages[taken++];
      if (page?.number !== expected) throw damaged(run, kind, expected!);
      expected = page!.next;
      stream.data = page!.data;
      stream.at = page!.start;
      stream.end = page!.data.length;
      stream.head = readUint48(stream.data, stream.at);
    },
  };
  return stream;
}

/** Takes the lowest entry again and again, until a stream has come to the end of its page. */
function takeInOrder(kind: RunKind, streams: readonly Stream[], builder: RunBuilder, budget: number): number {
  const { entryBytes } = kind;
  let done = 0;
  while (done < budget) {
    let lowest = streams[0]!;
    let second: Stream | undefined;
    for (let i = 1; i < streams.length; i++) {
      const stream = streams[i]!;
      if (isBelow(stream, lowest, entryBytes)) {
        second = lowest;
        lowest = stream;
      } else if (!second || isBelow(stream, second, entryBytes)) second = stream;
    }
    // What is lowest mostly stays so for a few entries.
    do {
      builder.add(lowest.data, lowest.at);
      lowest.at += entryBytes;
      done++;
      if (lowest.at === lowest.end) return done;
      lowest.head = readUint48(lowest.data, lowest.at);
    } while (done < budget && (!second || isBelow(lowest, second, entryBytes)));
  }
  return done;
}

function isBelow(a: Stream, b: Stream, entryBytes: number): boolean {
  return a.head < b.head || (a.head === b.head && compareBytes(a.data, a.at, b.data, b.at, entryBytes) < 0);
}
