import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Reader } from '../../service/src/db/database.ts';
import { type SqlValue, sql } from '../../service/src/db/statement.ts';
import type { Table } from '../../service/src/db/table.ts';
import { chainTables, undoTable } from '../../service/src/indexer/layout.ts';
import { runKinds } from '../../service/src/indexer/runs/run-kinds.ts';
import { runTable } from '../../service/src/indexer/runs/run-set.ts';
import { listIndexerParts } from '../../service/src/indexer-parts.ts';
import { listAllTxPages, listEntries, listOutputs } from './run-entries.ts';
import { testProfile } from './test-coin.ts';

/** All rows of the tables that are pure functions of the chain, by table, in the order of their keys. */
export type IndexDump = Readonly<Record<string, readonly string[]>>;

/** The mempool is no function of the chain, and which runs there are depends on the way to the tip; meta holds counters and versions. */
const derivedTables: readonly Table[] = [
  ...chainTables.filter((table) => !table.name.startsWith('mempool_') && table !== runTable),
  ...listIndexerParts(testProfile).flatMap((part) => part.tables.map(({ table }) => table)),
];
const GET_TABLES = sql<{ value: string }>("select value from meta where key = 'tables'");

export type DumpOptions = {
  /** Tables of parts beside the shipped ones. */
  tables?: readonly Table[];
  /** Undo rows of lower blocks are left out: how far back they reach depends on the way to the tip. */
  undoFrom?: number;
};

/**
 * Reads every derived row, in one snapshot, and of the runs all that they have together. Both engines give the same text for the
 * same row.
 */
export async function dumpIndex(database: Database, options: DumpOptions = {}): Promise<IndexDump> {
  await nextSnapshot();
  return await database.snapshot(async (reader) => {
    const dump: Record<string, string[]> = {};
    // A suite may index without some of the parts.
    const made = new Set((await reader.get(GET_TABLES))?.value.split(' '));
    const tables = [...derivedTables.filter(({ name }) => made.has(name)), ...(options.tables ?? [])];
    for (const table of tables) {
      dump[table.name] = await dumpTable(reader, table, options.undoFrom ?? 0);
    }
    for (const kind of runKinds) dump[`${kind.name} entries`] = await listEntries(reader, kind);
    dump.outputs = await listOutputs(reader);
    dump['transaction pages'] = (await listAllTxPages(reader)).map(
      ({ firstId, height, position, data }) =>
        `first_id=${firstId} height=${height} position=${position} data=${describeValue(data)}`,
    );
    return dump;
  });
}

/** Reads in one turn of the event loop share a snapshot, and a writer in this very process may be done within it. */
export async function nextSnapshot(): Promise<void> {
  await nextTurn();
}

async function dumpTable(reader: Reader, table: Table, undoFrom: number): Promise<string[]> {
  const names = table.columns.map(({ name }) => name);
  const filter = table.name === undoTable.name ? `where height >= ${undoFrom}` : '';
  const rows = await reader.all<Record<string, SqlValue>>(
    sql(`select ${names.join(', ')} from ${table.name} ${filter} order by ${table.primaryKey.join(', ')}`, {
      bigints: true,
    }),
  );
  return rows.map((row) => names.map((name) => `${name}=${describeValue(row[name]!)}`).join(' '));
}

function describeValue(value: SqlValue): string {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  return String(value);
}

/** The first few rows in which two dumps differ, ready to be read; none when they are the same. */
export function compareDumps(actual: IndexDump, expected: IndexDump): string[] {
  const differences: string[] = [];
  for (const table of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
    const [found, wanted] = [new Set(actual[table]), new Set(expected[table])];
    const surplus = [...found].filter((row) => !wanted.has(row));
    const missing = [...wanted].filter((row) => !found.has(row));
    if (surplus.length + missing.length === 0) continue;
    differences.push(`${table}: ${surplus.length} rows too many, ${missing.length} rows missing`);
    for (const row of surplus.slice(0, 3)) differences.push(`  has    ${shorten(row)}`);
    for (const row of missing.slice(0, 3)) differences.push(`  wants  ${shorten(row)}`);
  }
  return differences;
}

function shorten(row: string): string {
  return row.length <= 400 ? row : `${row.slice(0, 300)}…${row.slice(-80)}`;
}
