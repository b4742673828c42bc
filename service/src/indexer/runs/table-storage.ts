import type { Writer } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';
import { cutOutputs, insertOutputs } from '../transactions/output-pages.ts';
import { cutTxPages, insertTxPages } from '../transactions/tx-pages.ts';
import { startMerge } from './merge-runs.ts';
import { placesOfOutputs, type RunKind, runKinds, spendRuns } from './run-kinds.ts';
import { PAGE_BYTES, PLACES } from './run-page.ts';
import { MOST_RUN_IDS, type Run } from './run-set.ts';
import type { RunStorage, RunWriting } from './run-storage.ts';
import { deleteTableFilters, insertTableFilters } from './table-filters.ts';
import { createTableTarget } from './table-target.ts';

/** Pages that are deleted by one statement. */
const DELETED_AT_ONCE = 1_000;
/** Of an entry on average: deleting keeps pace with merging, which leaves as many pages behind as it reads. */
const ENTRY_BYTES = 24;
/** Of pages that belong to no run the number is not known. */
const ORPHAN_PARTS = 64;

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

/** Keeps the pages of runs in tables, and outputs in pages of their own (output-pages.ts). */
export function createTableStorage(writer: Writer): RunStorage {
  let garbage: Garbage[] = [];
  /** Of runs under way; they are no garbage yet. */
  const underWay = new Set<number>();

  const begin = (runId: number): RunWriting => {
    underWay.add(runId);
    const target = createTableTarget(writer, runId);
    return {
      ...target,
      runId,
      addInOrder: ({ outputs, firstOutput }) => insertOutputs(writer, firstOutput, outputs),
      copyInOrder: () => undefined,
      async finish() {
        await target.drain();
        await insertTableFilters(writer, runId, target.filters);
        underWay.delete(runId);
        return { fileName: '', file: undefined };
      },
      abandon() {
        underWay.delete(runId);
        for (const kind of runKinds) garbage.push(describeOrphans(kind, runId));
      },
    };
  };

  return {
    begin,
    merge: (sources, runId) => startMerge(writer, sources, begin(runId)),
    async discard({ id, entries, endOutput }) {
      await deleteTableFilters(writer, id);
      for (const kind of runKinds) garbage.push(describeGarbage(kind, id, entries[kind.code]!, endOutput));
    },
    async addTxPages(pages) {
      await insertTxPages(writer, pages);
      return [];
    },
    async cut({ from, txsFrom }) {
      await cutOutputs(writer, from);
      await cutTxPages(writer, txsFrom);
    },
    // The database does it with its commit.
    async sync() {},
    // They are deleted within a transaction of their own time.
    committed() {},
    get takenIds() {
      return [...underWay, ...garbage.map(({ from }) => Math.floor(from / PLACES))];
    },
    async deleteGarbage(entries) {
      const statements = Math.ceil((entries * ENTRY_BYTES) / PAGE_BYTES / DELETED_AT_ONCE);
      for (let i = 0; i < statements; i++) {
        const range = garbage[0];
        if (!range) return;
        const to = Math.min(range.to, range.from + range.span);
        await writer.run(DELETE_PAGES.get(range.kind)!, [range.from, to]);
        range.from = to;
        if (range.from >= range.to) garbage.shift();
      }
    },
    get hasGarbage() {
      return garbage.length > 0;
    },
    async reload(runs) {
      underWay.clear();
      garbage = await findGarbage(writer, runs);
    },
  };
}

/** The pages of a run, to be deleted in parts of about equal size. */
function describeGarbage(kind: RunKind, runId: number, entries: number, endOutput: number): Garbage {
  const pages = Math.ceil((entries * kind.entryBytes) / PAGE_BYTES) + 1;
  const from = runId * PLACES;
  // Numbers of outputs are not spread over all places, as hashes are.
  const places = kind === spendRuns ? placesOfOutputs(endOutput) + pages : PLACES;
  return { kind, from, to: from + places, span: Math.ceil(places / Math.ceil(pages / DELETED_AT_ONCE)) };
}

/** Pages of which the number is not known. */
function describeOrphans(kind: RunKind, runId: number): Garbage {
  return { kind, from: runId * PLACES, to: (runId + 1) * PLACES, span: PLACES / ORPHAN_PARTS };
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
        const orphans = describeOrphans(kind, Math.floor(found.page / PLACES));
        garbage.push(orphans);
        from = orphans.to;
      }
    }
  }
  return garbage;
}
