import type { Writer } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';
import type { BuiltKind, FreshEntries } from './fresh-entries.ts';
import { chooseMerge } from './merge-policy.ts';
import { type Merge, pageColumns, startMerge } from './merge-runs.ts';
import type { RunFilter } from './run-filter.ts';
import { placesOfOutputs, type RunKind, runKinds, spendRuns, txRuns } from './run-kinds.ts';
import { PAGE_BYTES, PLACES } from './run-page.ts';
import {
  deleteRun,
  emptyRunSet,
  type FilterChoice,
  insertRun,
  loadRunSet,
  type Run,
  type RunSet,
} from './run-set.ts';
import { openRunsVersion } from './runs-version.ts';

/** The blocks that a run is made of. */
export type RunBlocks = Pick<Run, 'firstHeight' | 'lastHeight' | 'firstOutput' | 'endOutput' | 'txs'>;

/** The runs behind their writer. All that changes them is to be called within a transaction; after its rollback, {@link RunStore.reload}. */
export type RunStore = {
  /** As the writer sees them, committed or not. */
  readonly set: RunSet;
  /** Makes a run of what is fresh. */
  write(fresh: FreshEntries, blocks: RunBlocks): Promise<void>;
  /**
   * Takes the runs out that have blocks from a height up.
   * @returns the heights below it that went with them; undefined where none did
   */
  cut(height: number): Promise<{ firstHeight: number; lastHeight: number } | undefined>;
  /**
   * Goes on with what is to be merged and deleted, each merge by about so many entries.
   * @returns whether there is more to do
   */
  merge(tipHeight: number, entries: number): Promise<boolean>;
  /** Whether {@link RunStore.merge} has something to do. */
  hasWork(tipHeight: number): boolean;
  /** Forgets what was undone, and reads the runs anew. When it throws nothing is known of them until {@link RunStore.load}. */
  reload(): Promise<void>;
  /** Reads the runs where they are not known. */
  load(): Promise<void>;
};

/** Numbers of runs begin anew after so many. */
const MOST_RUN_IDS = 2 ** 20;
/** Pages that are deleted by one statement. */
const DELETED_AT_ONCE = 1_000;
/** Of an entry on average: deleting keeps pace with merging, which leaves as many pages behind as it reads. */
const ENTRY_BYTES = 24;
/** Of pages that belong to no run the number is not known. */
const ORPHAN_PARTS = 64;
/** The writer looks up transactions, and few scripts. */
const FILTERS: FilterChoice = { kinds: [txRuns], bytes: 32 << 20 };
/** A larger filter is not held: most of what is looked up is in the largest runs. */
const LARGEST_HELD = 16 << 20;

type Garbage = { kind: RunKind; from: number; to: number; span: number };

const DELETE_PAGES = new Map<RunKind, Statement<never>>(
  runKinds.map((kind) => [kind, sql(`delete from ${kind.table.name} where page >= $1 and page < $2`)]),
);
const FIND_PAGE = new Map<RunKind, Statement<{ page: number }>>(
  runKinds.map((kind) => [
    kind,
    sql(`select page from ${kind.table.name} where page >= $1 and page < $2 order by page limit 1`),
  ]),
);

/** Opens the runs that the database holds. */
export async function openRunStore(writer: Writer, horizonBlocks: number): Promise<RunStore> {
  const version = openRunsVersion(writer);
  let set: RunSet = emptyRunSet;
  let lastId = 0;
  let garbage: Garbage[] = [];
  /** By size class. */
  const merges = new Map<number, Merge>();
  let isLoaded = false;

  const reload = async (): Promise<void> => {
    isLoaded = false;
    merges.clear();
    // Nobody is to look for pages that were undone.
    set = emptyRunSet;
    set = await loadRunSet(writer, emptyRunSet, FILTERS);
    garbage = await findGarbage(writer, set.runs);
    lastId = set.runs.reduce((most, { id }) => Math.max(most, id), lastId);
    isLoaded = true;
  };

  const takeId = (): number => {
    const used = new Set([
      ...set.runs.map(({ id }) => id),
      ...[...merges.values()].map(({ id }) => id),
      ...garbage.map(({ from }) => Math.floor(from / PLACES)),
    ]);
    do lastId = (lastId + 1) % MOST_RUN_IDS;
    while (used.has(lastId));
    return lastId;
  };

  const discard = async (runs: readonly Run[]): Promise<void> => {
    for (const run of runs) {
      await deleteRun(writer, run);
      for (const kind of runKinds)
        garbage.push(describeGarbage(kind, run.id, run.entries[kind.code]!, run.endOutput));
    }
  };

  /** Puts one run in the place of others. */
  const replace = async (gone: readonly Run[], run: Run, filters: readonly (RunFilter | undefined)[]) => {
    await insertRun(writer, run, filters);
    await discard(gone);
    await version.bump();
    const kept = new Map([...set.filters].filter(([id]) => !gone.some((each) => each.id === id)));
    const filter = filters[txRuns.code];
    if (filter && filter.length <= LARGEST_HELD) kept.set(run.id, [filter]);
    const runs = [...set.runs.filter((each) => !gone.includes(each)), run];
    set = { runs: runs.sort((a, b) => a.firstHeight - b.firstHeight), filters: kept };
  };

  const startMerges = (tipHeight: number): void => {
    for (;;) {
      const taken = new Set([...merges.values()].flatMap(({ sources }) => sources));
      const isTaken = (index: number): boolean => taken.has(set.runs[index]!);
      const window = chooseMerge({ runs: set.runs, tipHeight, horizonBlocks, isTaken });
      if (!window || merges.has(window.sizeClass)) return;
      const sources = set.runs.slice(window.from, window.to + 1);
      merges.set(window.sizeClass, startMerge(writer, sources, takeId()));
    }
  };

  /** Deletes about as many pages as so many entries take. */
  const deleteGarbage = async (entries: number): Promise<void> => {
    const statements = Math.ceil((entries * ENTRY_BYTES) / PAGE_BYTES / DELETED_AT_ONCE);
    for (let i = 0; i < statements; i++) {
      const range = garbage[0];
      if (!range) return;
      const to = Math.min(range.to, range.from + range.span);
      await writer.run(DELETE_PAGES.get(range.kind)!, [range.from, to]);
      range.from = to;
      if (range.from >= range.to) garbage.shift();
    }
  };

  await reload();
  return {
    get set() {
      return set;
    },
    async write(fresh, blocks) {
      const id = takeId();
      const built = fresh.build(id);
      for (const { kind, pages } of built) await writer.insert(kind.table, pages.length, pageColumns(pages));
      const run: Run = { ...blocks, id, entries: countsOf(built, 'entries'), keys: countsOf(built, 'keys') };
      await replace(
        [],
        run,
        built.map(({ filter }) => filter),
      );
    },
    async cut(height) {
      const gone = set.runs.filter(({ lastHeight }) => lastHeight >= height);
      if (gone.length === 0) return undefined;
      for (const [level, merge] of merges) {
        if (!merge.sources.some((run) => gone.includes(run))) continue;
        merges.delete(level);
        const { endOutput } = merge.sources.at(-1)!;
        for (const kind of runKinds)
          garbage.push(describeGarbage(kind, merge.id, sumEntries(merge, kind), endOutput));
      }
      await discard(gone);
      await version.bump();
      set = { ...set, runs: set.runs.filter((run) => !gone.includes(run)) };
      const { firstHeight } = gone[0]!;
      return firstHeight < height ? { firstHeight, lastHeight: height - 1 } : undefined;
    },
    async merge(tipHeight, entries) {
      startMerges(tipHeight);
      for (const [level, merge] of merges) {
        const merged = await merge.advance(entries);
        if (!merged) continue;
        merges.delete(level);
        await replace(merge.sources, merged.run, merged.filters);
      }
      await deleteGarbage(entries);
      startMerges(tipHeight);
      return merges.size > 0 || garbage.length > 0;
    },
    hasWork(tipHeight) {
      startMerges(tipHeight);
      return merges.size > 0 || garbage.length > 0;
    },
    reload,
    async load() {
      if (!isLoaded) await reload();
    },
  };
}

function countsOf(built: readonly BuiltKind[], name: 'entries' | 'keys'): number[] {
  const counts: number[] = [];
  for (const each of built) counts[each.kind.code] = each[name];
  return counts;
}

function sumEntries({ sources }: Merge, { code }: RunKind): number {
  return sources.reduce((sum, run) => sum + run.entries[code]!, 0);
}

/** The pages of a run, to be deleted in parts of about equal size. */
function describeGarbage(kind: RunKind, runId: number, entries: number, endOutput: number): Garbage {
  const pages = Math.ceil((entries * kind.entryBytes) / PAGE_BYTES) + 1;
  const from = runId * PLACES;
  // Numbers of outputs are not spread over all places, as hashes are.
  const places = kind === spendRuns ? placesOfOutputs(endOutput) + pages : PLACES;
  return { kind, from, to: from + places, span: Math.ceil(places / Math.ceil(pages / DELETED_AT_ONCE)) };
}

/** Pages that belong to no run: of merges that were interrupted, and of runs whose pages were not deleted yet. */
async function findGarbage(writer: Writer, runs: readonly Run[]): Promise<Garbage[]> {
  const ids = runs.map(({ id }) => id).sort((a, b) => a - b);
  const garbage: Garbage[] = [];
  for (const kind of runKinds) {
    for (const [i, before] of [-1, ...ids].entries()) {
      const end = (ids[i] ?? MOST_RUN_IDS) * PLACES;
      for (let from = (before + 1) * PLACES; from < end; ) {
        const found = await writer.get(FIND_PAGE.get(kind)!, [from, end]);
        if (!found) break;
        const id = Math.floor(found.page / PLACES);
        garbage.push({ kind, from: id * PLACES, to: (id + 1) * PLACES, span: PLACES / ORPHAN_PARTS });
        from = (id + 1) * PLACES;
      }
    }
  }
  return garbage;
}
