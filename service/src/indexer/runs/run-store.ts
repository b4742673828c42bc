import type { Writer } from '../../db/database.ts';
import { openGrowingNumber } from '../growing-number.ts';
import type { FinishedPage } from '../transactions/tx-page.ts';
import { endOfPlaces, listPlaces } from '../tx-log/find-places.ts';
import { insertSegment, listSegments } from '../tx-log/segments.ts';
import { openTxLogWriter } from '../tx-log/write-tx-log.ts';
import { createFileStorage } from './file-storage.ts';
import type { BuiltKind, FreshEntries } from './fresh-entries.ts';
import { type FilterChoice, holdFilters, holdPresent } from './held-filters.ts';
import { keepEntries } from './keep-entries.ts';
import { chooseMerge } from './merge-policy.ts';
import type { Merge, MergedRun } from './merge-runs.ts';
import { txRuns } from './run-kinds.ts';
import {
  deleteRun,
  emptyRunSet,
  insertRun,
  loadRunSet,
  MOST_RUN_IDS,
  type Run,
  type RunSet,
} from './run-set.ts';
import { createTableStorage } from './table-storage.ts';

/** The blocks that a run is made of. */
export type RunBlocks = Pick<Run, 'firstHeight' | 'lastHeight' | 'firstOutput' | 'endOutput' | 'txs'>;

/** The runs behind their writer. All that changes them is to be called within a transaction; after its rollback, {@link RunStore.reload}. */
export type RunStore = {
  /** As the writer sees them, committed or not. */
  readonly set: RunSet;
  /** Adds the pages of transactions of blocks whose run is yet to be written. */
  addTxPages(pages: readonly (FinishedPage & { height: number })[]): Promise<void>;
  /** Has these pages brought to the disk while what belongs to them is made ready: {@link RunStore.write} comes next, and waits for it. */
  syncAhead(): void;
  /** Makes a run of what is fresh. */
  write(fresh: FreshEntries, blocks: RunBlocks): Promise<void>;
  /**
   * Takes the runs out that have blocks from a height up, and the transactions of these blocks.
   * @param firstOutput number of the first output of these blocks
   * @param fresh gets what the blocks below added that went with them; has nothing yet
   * @returns the height of the first of these; undefined where there are none
   */
  cut(height: number, firstOutput: number, fresh: FreshEntries): Promise<number | undefined>;
  /**
   * Goes on with what is to be merged and deleted, each merge by about so many entries.
   * @returns whether there is more to do
   */
  merge(tipHeight: number, entries: number): Promise<boolean>;
  /** Whether {@link RunStore.merge} has something to do. */
  hasWork(tipHeight: number): boolean;
  /** To be called when the transaction is committed. */
  committed(): void;
  /** Forgets what was undone, and reads the runs anew. When it throws nothing is known of them until {@link RunStore.load}. */
  reload(): Promise<void>;
  /** Reads the runs where they are not known. */
  load(): Promise<void>;
};

/** The writer looks up transactions, and few scripts. */
const FILTERS: FilterChoice = { kinds: [txRuns], bytes: 32 << 20 };
/** With so many runs those who write wait for those who merge. */
const MANY_RUNS = 80;

export type RunStoreOptions = {
  /** Blocks so deep are never undone. */
  readonly horizonBlocks: number;
  /** Files of runs that were merged stay so long for those who read them. */
  readonly fileGraceMs: number;
  /** Merges of files with so many entries and more are another thread's. */
  readonly threadEntries: number;
  /** Files of transactions get no more when they have so many bytes. */
  readonly segmentBytes: number;
};

/** Opens the runs that the database holds. */
export async function openRunStore(
  writer: Writer,
  { horizonBlocks, fileGraceMs, threadEntries, segmentBytes }: RunStoreOptions,
): Promise<RunStore> {
  /** Readers who find it unchanged know which runs there are. */
  const version = openGrowingNumber(writer, 'runs');
  let set: RunSet = emptyRunSet;
  let lastId = 0;
  const { folder } = writer;
  const storage =
    folder === undefined
      ? createTableStorage(writer)
      : createFileStorage({
          folder,
          graceMs: fileGraceMs,
          threadEntries,
          syncLog: () => writer.sync(),
          async openTxLog(runs, least) {
            const segments = await listSegments(writer);
            const end = Math.max(least, endOfPlaces(runs));
            const addSegment = async (number: number, name: string) => {
              await insertSegment(writer, number, name);
              set.log!.follow([...(await listSegments(writer))]);
            };
            return { segments, log: openTxLogWriter({ folder, segments, end, segmentBytes, addSegment }) };
          },
        });
  /** By size class. */
  const merges = new Map<number, Merge>();
  /** Brings the pages to the disk that were added so far. */
  let syncing: Promise<void> | undefined;
  let isLoaded = false;

  const sync = (): Promise<void> => {
    const begun = storage.sync();
    // Who waits for it is told.
    begun.catch(() => {});
    return begun;
  };

  const reload = async (): Promise<void> => {
    isLoaded = false;
    syncing = undefined;
    for (const merge of merges.values()) merge.abandon();
    merges.clear();
    // Nobody is to look for pages that were undone.
    set = emptyRunSet;
    set = await loadRunSet(writer, emptyRunSet, FILTERS);
    await storage.reload(set.runs);
    lastId = set.runs.reduce((most, { id }) => Math.max(most, id), lastId);
    isLoaded = true;
  };

  const takeId = (): number => {
    const used = new Set([
      ...set.runs.map(({ id }) => id),
      ...[...merges.values()].map(({ runId }) => runId),
      ...storage.takenIds,
    ]);
    do lastId = (lastId + 1) % MOST_RUN_IDS;
    while (used.has(lastId));
    return lastId;
  };

  const discard = async (runs: readonly Run[]): Promise<void> => {
    for (const run of runs) {
      await deleteRun(writer, run);
      await storage.discard(run);
    }
  };

  /** Puts one run in the place of others. */
  const replace = async (gone: readonly Run[], { run, txFilter }: MergedRun): Promise<void> => {
    await insertRun(writer, run);
    await discard(gone);
    await version.raise();
    const runs = [...set.runs.filter((each) => !gone.includes(each)), run];
    runs.sort((a, b) => a.firstHeight - b.firstHeight);
    const known = new Map(set.filters);
    if (txFilter) known.set(run.id, holdPresent([txRuns], [txFilter]));
    set = { ...set, runs, filters: await holdFilters(writer, runs, known, FILTERS) };
  };

  const startMerges = (tipHeight: number): void => {
    for (;;) {
      const taken = new Set([...merges.values()].flatMap(({ sources }) => sources));
      const isTaken = (index: number): boolean => taken.has(set.runs[index]!);
      const window = chooseMerge({ runs: set.runs, tipHeight, horizonBlocks, isTaken });
      if (!window || merges.has(window.sizeClass)) return;
      const sources = set.runs.slice(window.from, window.to + 1);
      merges.set(window.sizeClass, storage.merge(sources, takeId()));
    }
  };

  const hasWork = (): boolean =>
    storage.hasGarbage || [...merges.values()].some(({ canAdvance }) => canAdvance);

  /** Where merging does not keep pace, there would be ever more runs to look into. */
  const waitForMerges = async (): Promise<void> => {
    const waits = [...merges.values()].flatMap(({ done }) => done ?? []);
    if (waits.length > 0) await Promise.race(waits);
  };

  await reload();
  return {
    get set() {
      return set;
    },
    async addTxPages(pages) {
      syncing = undefined;
      const places = await storage.addTxPages(pages);
      set = { ...set, young: [...set.young, ...places] };
    },
    syncAhead() {
      syncing = sync();
    },
    async write(fresh, blocks) {
      if (set.runs.length >= MANY_RUNS) await waitForMerges();
      // The disk has the time while the run is built.
      const synced = syncing ?? sync();
      syncing = undefined;
      const writing = storage.begin(takeId());
      try {
        const built = fresh.build(writing);
        const { firstOutput } = blocks;
        await writing.addInOrder({ outputs: fresh.outputs, firstOutput, places: set.young });
        await synced;
        const finished = await writing.finish(blocks);
        const counts = { entries: countsOf(built, 'entries'), keys: countsOf(built, 'keys') };
        const run: Run = { ...blocks, id: writing.runId, ...counts, ...finished };
        const txFilter = run.file ? undefined : built.find(({ kind }) => kind === txRuns)?.filter;
        await replace([], { run, txFilter });
        set = { ...set, young: [] };
      } catch (error) {
        writing.abandon();
        throw error;
      }
      fresh.clear();
    },
    async cut(height, firstOutput, fresh) {
      const gone = set.runs.filter(({ lastHeight }) => lastHeight >= height);
      if (gone.length === 0) return undefined;
      for (const [level, merge] of merges) {
        if (!merge.sources.some((run) => gone.includes(run))) continue;
        merges.delete(level);
        merge.abandon();
      }
      const { firstHeight } = gone[0]!;
      const from = gone[0]!.firstOutput;
      const young = listPlaces(set, from, firstOutput, Number.POSITIVE_INFINITY);
      if (firstHeight < height) await keepEntries(writer, gone[0]!, firstOutput, fresh);
      await discard(gone);
      await storage.cut({ from, txsFrom: firstOutput });
      await version.raise();
      set = { ...set, runs: set.runs.filter((run) => !gone.includes(run)), young };
      return firstHeight < height ? firstHeight : undefined;
    },
    async merge(tipHeight, entries) {
      startMerges(tipHeight);
      for (const [level, merge] of merges) {
        const merged = await merge.advance(entries);
        if (!merged) continue;
        merges.delete(level);
        await replace(merge.sources, merged);
      }
      await storage.deleteGarbage(entries);
      startMerges(tipHeight);
      return hasWork();
    },
    hasWork(tipHeight) {
      startMerges(tipHeight);
      return hasWork();
    },
    committed: () => storage.committed(),
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
