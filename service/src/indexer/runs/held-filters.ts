import type { Reader } from '../../db/database.ts';
import { filterBytes, type RunFilter } from './run-filter.ts';
import type { RunKind } from './run-kinds.ts';
import type { Run, RunSet } from './run-set.ts';
import { loadTableFilter } from './table-filters.ts';

/** Filters of one run that there is room for. */
export type HeldFilters = {
  /** That of a kind; undefined where the run has none, or where it is not held. */
  find(kind: RunKind): RunFilter | undefined;
};

/** Which filters are held. */
export type FilterChoice = {
  readonly kinds: readonly RunKind[];
  /** Filters of the smallest runs are held, as many as have room: of a large run most questions find something. */
  readonly bytes: number;
};

/** Reads those filters that nobody has asked yet, so that the first who does need not wait for them. */
export function readAllFilters(filters: RunSet['filters'], { kinds }: FilterChoice): void {
  for (const held of filters.values()) for (const kind of kinds) held.find(kind);
}

/** The runs whose filters have room, the smallest first. */
function chooseHeld(runs: readonly Run[], { kinds, bytes }: FilterChoice): Run[] {
  const chosen: Run[] = [];
  let room = bytes;
  for (const run of [...runs].sort((a, b) => a.txs - b.txs)) {
    room -= kinds.reduce((sum, { code }) => sum + filterBytes(run.keys[code]!), 0);
    if (room < 0) break;
    chosen.push(run);
  }
  return chosen;
}

/** Holds the filters of the runs that have room; those that `known` has stay what they are. */
export async function holdFilters(
  reader: Reader,
  runs: readonly Run[],
  known: RunSet['filters'],
  choice: FilterChoice,
): Promise<RunSet['filters']> {
  const held = new Map<number, HeldFilters>();
  for (const run of chooseHeld(runs, choice))
    held.set(run.id, known.get(run.id) ?? (await loadFilters(reader, run, choice.kinds)));
  return held;
}

async function loadFilters(
  reader: Reader,
  { id, file }: Run,
  kinds: readonly RunKind[],
): Promise<HeldFilters> {
  if (file) return readWhenAsked(file, kinds);
  const filters: (RunFilter | undefined)[] = [];
  for (const { code } of kinds) filters[code] = await loadTableFilter(reader, id, code);
  return holdPresent(filters);
}

/**
 * Filters that are in memory.
 * @param filters by code of the kind
 */
export function holdPresent(filters: readonly (RunFilter | undefined)[]): HeldFilters {
  return { find: ({ code }) => filters[code] };
}

/**
 * Reads a filter from the file of its run when it is first asked: in a first sync most runs are merged before anybody looks into
 * them.
 */
function readWhenAsked(file: NonNullable<Run['file']>, kinds: readonly RunKind[]): HeldFilters {
  /** By code of the kind; of those that are missing nothing was asked. */
  const filters: (RunFilter | undefined)[] = [];
  const unread = new Set(kinds.map(({ code }) => code));
  return {
    find({ code }) {
      if (filters[code] === undefined && unread.has(code)) {
        filters[code] = file.readFilter(code);
        unread.delete(code);
      }
      return filters[code];
    },
  };
}
