import type { Reader, Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { defineTable } from '../../db/table.ts';
import type { DiskPace } from '../disk/disk-pace.ts';
import { listSegments } from '../tx-log/segments.ts';
import { openTxLog, type TxLog } from '../tx-log/tx-log.ts';
import { type TxPlace, txPlaces } from '../tx-log/tx-place.ts';
import { type FilterChoice, type HeldFilters, holdFilters } from './held-filters.ts';
import { openRunFile, type RunFile } from './run-file.ts';
import { filterKey, mayHave } from './run-filter.ts';
import { coinRuns, historyRuns, type RunKind, runKinds } from './run-kinds.ts';

/** A run: what the blocks of some heights added to the indexes. Of each kind it has so many entries and distinct keys. */
export type Run = {
  readonly id: number;
  readonly firstHeight: number;
  readonly lastHeight: number;
  /** Numbers of the outputs that its blocks made: `firstOutput .. endOutput - 1`. */
  readonly firstOutput: number;
  readonly endOutput: number;
  readonly txs: number;
  /** By code of the kind. */
  readonly entries: readonly number[];
  readonly keys: readonly number[];
  /** Where its pages are: a file and its name; undefined and empty where they are in tables. */
  readonly file: RunFile | undefined;
  readonly fileName: string;
};

/** Numbers of runs begin anew after so many. */
export const MOST_RUN_IDS = 2 ** 20;

/** All runs of the chain, the oldest first; each begins where the one before it ends. */
export type RunSet = {
  readonly runs: readonly Run[];
  /** By id of the run; not every run's filters are held. */
  readonly filters: ReadonlyMap<number, HeldFilters>;
  /** The raw transactions; undefined where they are in a table. */
  readonly log: TxLog | undefined;
  /** The places of those that are in no run yet: only who writes knows any. */
  readonly young: readonly TxPlace[];
};

/** The runs that there are. */
export const runTable = defineTable({
  name: 'run',
  columns: {
    id: 'int',
    first_height: 'int',
    last_height: 'int',
    first_output: 'int',
    end_output: 'int',
    txs: 'int',
    tx_entries: 'int',
    tx_keys: 'int',
    spend_entries: 'int',
    spend_keys: 'int',
    history_entries: 'int',
    history_keys: 'int',
    coin_entries: 'int',
    coin_keys: 'int',
    file: 'text',
  },
  primaryKey: ['id'],
});

export const emptyRunSet: RunSet = { runs: [], filters: new Map(), log: undefined, young: [] };

type CountName = `${(typeof runKinds)[number]['name']}_${'entries' | 'keys'}`;
type RunRow = Record<CountName, number> & {
  id: number;
  first_height: number;
  last_height: number;
  first_output: number;
  end_output: number;
  txs: number;
  file: string;
};

const NAMES = runTable.columns.map(({ name }) => name);
const LIST_RUNS = sql<RunRow>(`select ${NAMES.join(', ')} from ${runTable.name} order by first_height`);
const DELETE_RUN = sql(`delete from ${runTable.name} where id = $1`);

/**
 * Reads the runs, and opens their files.
 * @param known of these the files are open
 * @param pace notes how long reads of the files take
 */
export async function listRuns(reader: Reader, known: readonly Run[] = [], pace?: DiskPace): Promise<Run[]> {
  const opened = new Map(known.map(({ fileName, file }) => [fileName, file]));
  return (await reader.all(LIST_RUNS)).map((row) => ({
    id: row.id,
    firstHeight: row.first_height,
    lastHeight: row.last_height,
    firstOutput: row.first_output,
    endOutput: row.end_output,
    txs: row.txs,
    entries: runKinds.map(({ name }) => row[`${name}_entries`]),
    keys: runKinds.map(({ name }) => row[`${name}_keys`]),
    fileName: row.file,
    file: row.file === '' ? undefined : (opened.get(row.file) ?? openFile(reader, row, pace)),
  }));
}

function openFile(
  { folder }: Reader,
  { file, first_height, last_height }: RunRow,
  pace: DiskPace | undefined,
): RunFile {
  return openRunFile(folder!, file, { firstHeight: first_height, lastHeight: last_height }, pace);
}

/**
 * Reads the runs, and of those that were not known before the filters.
 * @param pace notes how long reads of their files take
 */
export async function loadRunSet(
  reader: Reader,
  known: RunSet,
  choice: FilterChoice,
  pace?: DiskPace,
): Promise<RunSet> {
  const runs = await listRuns(reader, known.runs, pace);
  const filters = await holdFilters(reader, runs, known.filters, choice);
  return { runs, filters, log: await loadTxLog(reader, known.log, pace), young: [] };
}

async function loadTxLog(
  reader: Reader,
  known: TxLog | undefined,
  pace: DiskPace | undefined,
): Promise<TxLog | undefined> {
  if (reader.folder === undefined) return undefined;
  const segments = await listSegments(reader);
  return known?.follow(segments) ? known : openTxLog(reader.folder, segments, pace);
}

/** Reads those guides that nobody has asked for yet, so that the first who does need not wait for them. */
export function readAllGuides({ runs }: RunSet): void {
  for (const { file } of runs) for (const { code } of [...runKinds, txPlaces]) file?.guideOf(code);
}

/** The runs that may have entries of a key, the oldest first. */
export function listRunsWith({ runs, filters }: RunSet, kind: RunKind, key: Uint8Array): Run[] {
  const filterKind = kind === coinRuns ? historyRuns : kind;
  const asked = filterKey(filterKind, key);
  return runs.filter((run) => {
    if (run.entries[kind.code] === 0) return false;
    const filter = filters.get(run.id)?.find(filterKind);
    return filter === undefined || mayHave(filter, asked);
  });
}

/** Only those runs that may have a script, for who asks several things of it: no filter is looked at twice. */
export function narrowToScript(set: RunSet, key: Uint8Array): RunSet {
  return { ...set, runs: listRunsWith(set, historyRuns, key), filters: emptyRunSet.filters };
}

/** Writes that a run is there. */
export async function insertRun(writer: Writer, run: Run): Promise<void> {
  const counts = runKinds.flatMap(({ code }) => [run.entries[code]!, run.keys[code]!]);
  const values = [
    run.id,
    run.firstHeight,
    run.lastHeight,
    run.firstOutput,
    run.endOutput,
    run.txs,
    ...counts,
    run.fileName,
  ];
  await writer.insert(
    runTable,
    1,
    values.map((value) => [value]),
  );
}

/** Takes a run out of the list; its pages are left to be deleted. */
export async function deleteRun(writer: Writer, { id }: Run): Promise<void> {
  await writer.run(DELETE_RUN, [id]);
}
