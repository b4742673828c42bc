import type { Writer } from '../../db/database.ts';
import type { RunFilter } from './run-filter.ts';
import type { RunKind } from './run-kinds.ts';
import { encodePage, MOST_HEAD_BYTES, PAGE_BYTES, type PageRow, PLACES } from './run-page.ts';
import type { RunTarget } from './run-target.ts';

/** The rows of a run that is written to tables. */
export type TableTarget = RunTarget & {
  /** By code of the kind. */
  readonly filters: readonly (RunFilter | undefined)[];
};

/** Writes the pages of a run to the tables of their kinds. */
export function createTableTarget(writer: Writer, runId: number): TableTarget {
  const base = runId * PLACES;
  const filters: (RunFilter | undefined)[] = [];
  const waiting = new Map<RunKind, PageRow[]>();
  let current: RunKind | undefined;
  return {
    filters,
    begin(kind) {
      waiting.set(kind, []);
      current = kind;
      return {
        room: PAGE_BYTES - MOST_HEAD_BYTES,
        add({ place, next, entries, sums }) {
          waiting.get(kind)!.push({ page: base + place, data: encodePage(entries, next, sums) });
        },
      };
    },
    end(filter) {
      filters[current!.code] = filter;
    },
    async drain() {
      for (const [kind, rows] of waiting) {
        if (rows.length === 0) continue;
        waiting.set(kind, []);
        const pages = rows.map(({ page }) => page);
        await writer.insert(kind.table, rows.length, [pages, rows.map(({ data }) => data)]);
      }
    },
  };
}
