import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { DiskPace } from '../disk/disk-pace.ts';
import type { FilterChoice } from './held-filters.ts';
import { emptyRunSet, loadRunSet, type RunSet } from './run-set.ts';

const GET = sql<{ value: string }>("select value from meta where key = 'runs'");

/**
 * Gives the runs of a snapshot.
 * @param holdsTables whether filters that are in tables are held: they are read at once, those of files when somebody asks
 * @param version the number that the snapshot has, where it was read with others
 */
export type ReadRunSet = (reader: Reader, holdsTables: boolean, version?: string) => Promise<RunSet>;

/**
 * Remembers the runs, and reads them again when there are others.
 * @param pace notes how long reads of their files take
 */
export function createRunSetReader(choice: FilterChoice, pace?: DiskPace): ReadRunSet {
  let version = '';
  let set = emptyRunSet;
  let isHeld = false;
  let loading: Promise<unknown> | undefined;

  const load = async (reader: Reader, found: string, mayHold: boolean): Promise<RunSet> => {
    const held = mayHold ? choice : { ...choice, bytes: 0 };
    const loaded = await loadRunSet(reader, found === '' ? emptyRunSet : set, held, pace);
    closeUnused(set, loaded);
    version = found;
    isHeld = mayHold;
    set = loaded;
    return loaded;
  };

  return async (reader, holdsTables, known) => {
    const found = known ?? (await reader.get(GET))?.value ?? '';
    const mayHold = holdsTables || reader.folder !== undefined;
    for (;;) {
      if (found === version && mayHold === isHeld) return set;
      if (!loading) break;
      // Who comes meanwhile takes what is being loaded: each by itself would hold all filters once more. A failure is its reader's.
      await loading.catch(() => {});
    }
    const mine = load(reader, found, mayHold);
    loading = mine;
    try {
      return await mine;
    } finally {
      loading = undefined;
    }
  };
}

/** Longer than anybody reads what an earlier snapshot has, and than a disk that hesitates has him wait. */
const LAST_READS_MS = 60_000;

function closeUnused(before: RunSet, after: RunSet): void {
  const used = new Set(after.runs.map(({ file }) => file));
  const unused = before.runs.flatMap(({ file }) => (file && !used.has(file) ? [file] : []));
  const unusedLog = before.log === after.log ? undefined : before.log;
  if (unused.length === 0 && !unusedLog) return;
  setTimeout(() => {
    for (const file of unused) file.close();
    unusedLog?.close();
  }, LAST_READS_MS).unref();
}
