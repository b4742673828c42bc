import type { Reader } from '../../db/database.ts';
import { filterBytes, type RunFilter } from './run-filter.ts';
import type { RunKind } from './run-kinds.ts';
import type { Run, RunSet } from './run-set.ts';
import { loadTableFilters } from './table-filters.ts';

/** Filters of one run that there is room for. */
export type HeldFilters = {
  readonly kinds: readonly RunKind[];
  /** Those that are in memory by now, by code of the kind. */
  readonly loaded: readonly (RunFilter | undefined)[];
  /** That of a kind; undefined where the run has none, or where it is not held. */
  find(kind: RunKind): RunFilter | undefined;
};

/** Which filters are held. */
export type FilterChoice = {
  readonly kinds: readonly RunKind[];
  /** The smallest filters are held, as many as have room: of a large run most questions find something. */
  readonly bytes: number;
};

/** Reads those filters that nobody has asked yet, so that the first who does need not wait for them. */
export function readAllFilters(filters: RunSet['filters']): void {
  for (const held of filters.values()) for (const kind of held.kinds) held.find(kind);
}

/** The filters that have room, the smallest first: of each run those of some kinds. */
function chooseHeld(runs: readonly Run[], { kinds, bytes }: FilterChoice): Map<Run, RunKind[]> {
  const all = runs.flatMap((run) => kinds.map((kind) => ({ run, kind, size: sizeOf(run, kind) })));
  const chosen = new Map<Run, RunKind[]>();
  let room = bytes;
  for (const { run, kind, size } of all.sort((a, b) => a.size - b.size)) {
    room -= size;
    if (room < 0) break;
    const ofRun = chosen.get(run) ?? [];
    ofRun.push(kind);
    chosen.set(run, ofRun);
  }
  return chosen;
}

function sizeOf({ file, keys }: Run, { code }: RunKind): number {
  return file ? file.filterBytes(code) : filterBytes(keys[code]!);
}

/** Holds the filters of the runs that have room; those that `known` has are taken from it. */
export async function holdFilters(
  reader: Reader,
  runs: readonly Run[],
  known: RunSet['filters'],
  choice: FilterChoice,
): Promise<RunSet['filters']> {
  const held = new Map<number, HeldFilters>();
  for (const [run, kinds] of chooseHeld(runs, choice))
    held.set(run.id, await loadFilters(reader, run, kinds, known.get(run.id)));
  return held;
}

async function loadFilters(
  reader: Reader,
  { id, file }: Run,
  kinds: readonly RunKind[],
  known: HeldFilters | undefined,
): Promise<HeldFilters> {
  const isKnown = (kind: RunKind): boolean => known?.kinds.includes(kind) ?? false;
  if (known?.kinds.length === kinds.length && kinds.every(isKnown)) return known;
  const filters: (RunFilter | undefined)[] = [];
  for (const { code } of kinds.filter(isKnown)) filters[code] = known?.loaded[code];
  if (file) return readWhenAsked(file, kinds, filters);
  const missing = kinds.filter((kind) => !isKnown(kind)).map(({ code }) => code);
  const loaded = await loadTableFilters(reader, id, missing);
  for (const [i, code] of missing.entries()) filters[code] = loaded[i];
  return holdPresent(kinds, filters);
}

/**
 * Filters that are in memory.
 * @param filters by code of the kind
 */
export function holdPresent(
  kinds: readonly RunKind[],
  filters: readonly (RunFilter | undefined)[],
): HeldFilters {
  return { kinds, loaded: filters, find: ({ code }) => filters[code] };
}

/**
 * Reads a filter from the file of its run when it is first asked: in a first sync most runs are merged before anybody looks into
 * them.
 */
function readWhenAsked(
  file: NonNullable<Run['file']>,
  kinds: readonly RunKind[],
  filters: (RunFilter | undefined)[],
): HeldFilters {
  const find = (kind: RunKind): RunFilter | undefined => {
    const { code } = kind;
    if (filters[code] === undefined && kinds.includes(kind)) filters[code] = file.readFilter(code);
    return filters[code];
  };
  return { kinds, loaded: filters, find };
}
