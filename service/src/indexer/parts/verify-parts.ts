import { bytesToHex, equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import type { Reader } from '../../db/database.ts';
import { type SqlValue, sql } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';
import { sha256 } from '../encoding/hashes.ts';
import { emptyRunSet, loadRunSet } from '../runs/run-set.ts';
import { findBlockFault, readStoredBlock, type StoredBlockRow } from '../transactions/stored-block.ts';
import { createMemoryPartStore, type MemoryPartStore } from './memory-part-store.ts';
import type { ConnectedBlock, IndexerPart, PartRow, PartTable } from './part.ts';
import { describeRow } from './part-rows.ts';

/** What a verification found. */
export type Verification = {
  /** The highest block that was verified; -1 for an empty index. */
  height: number;
  blocks: number;
  /** Rows that were compared. */
  rows: number;
  /** The first differences, ready to be read. */
  differences: string[];
  /** Whether there may be more than those. */
  isCut: boolean;
};

/** All blocks are read one after the other: nothing is looked up by a hash. */
const NO_FILTERS = { kinds: [], bytes: 0 };
const MAX_DIFFERENCES = 20;
const COMPARED_AT_ONCE = 2_000;

type Run = { differences: string[]; rows: number };

/**
 * Derives all that parts derive once more, from the raw blocks of the index alone, and compares it with the rows that are
 * there: logs block by block, states at the end. The states are in memory meanwhile.
 *
 * @param reader one snapshot, so that the service may go on
 * @param onBlock called after each block
 */
export async function verifyParts(
  reader: Reader,
  parts: readonly IndexerPart[],
  onBlock: (height: number) => void = () => {},
): Promise<Verification> {
  const store = createMemoryPartStore();
  const runs = await loadRunSet(reader, emptyRunSet, NO_FILTERS);
  const tables = parts.flatMap((part) => part.tables);
  const run: Run = { differences: [], rows: 0 };
  const sums = new Map(tables.map((table) => [table, { rows: 0, sum: 0n }]));
  let previous: Uint8Array | undefined;
  let tip: StoredBlockRow | undefined;
  let height = 0;
  for (; run.differences.length < MAX_DIFFERENCES; height++) {
    const stored = await readStoredBlock(reader, runs, height);
    if (stored === undefined) break;
    const fault = findBlockFault(stored, previous) ?? findCarrierFault(stored.block);
    if (fault !== undefined) run.differences.push(`block ${height}: ${fault}`);
    for (const part of parts) await part.connectBlock(stored.block, store.forBlock(height));
    for (const table of tables) {
      if (table.kind === 'log') await compareLog(reader, table, stored.row, store, run);
      if (isUnordered(table)) addEntries(sums.get(table)!, table, store.takeAppended(table.table));
    }
    previous = stored.row.hash;
    tip = stored.row;
    onBlock(height);
  }
  // A difference in a log has changed states behind it; they are compared where nothing is known to be wrong.
  if (run.differences.length === 0) {
    for (const table of tables) {
      if (table.kind === 'log') await findLeftOver(reader, table, tip, run);
      if (table.kind === 'state' || table.kind === 'amounts') await compareState(reader, table, store, run);
      if (isUnordered(table)) await compareEntries(reader, table, sums.get(table)!, run);
    }
  }
  return {
    height: height - 1,
    blocks: height,
    rows: run.rows,
    differences: run.differences.slice(0, MAX_DIFFERENCES),
    isCut: run.differences.length >= MAX_DIFFERENCES,
  };
}

/** Whether its rows do not come in the order of the key. */
function isUnordered({ kind }: PartTable): boolean {
  return kind === 'entries' || kind === 'past';
}

/** Bytes that do not belong to their txid; only of those that carry something, for hashing all takes long. */
function findCarrierFault(block: ConnectedBlock): string | undefined {
  const wrong = block
    .listDataCarriers()
    .find((position) => !equalBytes(txidOf(block.getTransaction(position)), block.getTxid(position)));
  return wrong === undefined
    ? undefined
    : `the bytes of transaction ${wrong} are not those of ${toDisplayHash(block.getTxid(wrong))}`;
}

async function compareLog(
  reader: Reader,
  { table }: PartTable,
  { height, first_tx_id, total_outputs }: StoredBlockRow,
  store: MemoryPartStore,
  run: Run,
): Promise<void> {
  const names = table.columns.map(({ name }) => name).join(', ');
  const order = table.primaryKey.join(', ');
  const [place, ...range] = table.primaryKey.includes('height')
    ? ['height', height, height]
    : ['tx_id', first_tx_id, total_outputs - 1];
  const rows = await reader.all<Record<string, SqlValue>>(
    statementOf(
      `select ${names} from ${table.name} where ${place} >= $1 and ${place} <= $2 order by ${order}`,
    ),
    range,
  );
  const found = rows.map((row) => describeRow(table, row)).sort();
  const wanted = store
    .takeAppended(table)
    .map((row) => describeRow(table, row))
    .sort();
  run.rows += wanted.length;
  report(run, `${table.name}, block ${height}`, found, wanted);
}

/** Rows of blocks that are not there. */
async function findLeftOver(
  reader: Reader,
  { table }: PartTable,
  tip: StoredBlockRow | undefined,
  run: Run,
): Promise<void> {
  const [place, last] = table.primaryKey.includes('height')
    ? ['height', tip?.height ?? -1]
    : ['tx_id', (tip?.total_outputs ?? 0) - 1];
  const names = table.columns.map(({ name }) => name).join(', ');
  const rows = await reader.all<Record<string, SqlValue>>(
    statementOf(`select ${names} from ${table.name} where ${place} > $1 order by ${place} limit $2`),
    [last, MAX_DIFFERENCES],
  );
  report(
    run,
    `${table.name}, above the tip`,
    rows.map((row) => describeRow(table, row)),
    [],
  );
}

async function compareState(
  reader: Reader,
  { table }: PartTable,
  store: MemoryPartStore,
  run: Run,
): Promise<void> {
  const left = store.takeState(table);
  for await (const row of listRows(reader, table)) {
    const text = describeRow(table, row);
    const rowKey = store.keyOf(table, row);
    const wanted = left.get(rowKey);
    left.delete(rowKey);
    run.rows++;
    report(run, table.name, [text], wanted === undefined ? [] : [describeRow(table, wanted)]);
    if (run.differences.length >= MAX_DIFFERENCES) return;
  }
  for (const row of left.values()) report(run, table.name, [], [describeRow(table, row)]);
}

/** Entries are many and in no order of blocks: they are compared by their number and the sum of their hashes. */
type EntrySum = { rows: number; sum: bigint };

function addEntries(sum: EntrySum, { table }: PartTable, rows: readonly PartRow[]): void {
  for (const row of rows) {
    sum.rows++;
    sum.sum = BigInt.asUintN(128, sum.sum + readNumber(sha256(Buffer.from(describeRow(table, row)))));
  }
}

function readNumber(hash: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(hash.subarray(0, 16))}`);
}

async function compareEntries(reader: Reader, part: PartTable, wanted: EntrySum, run: Run): Promise<void> {
  const found: EntrySum = { rows: 0, sum: 0n };
  for await (const row of listRows(reader, part.table)) addEntries(found, part, [row]);
  run.rows += found.rows;
  if (found.sum === wanted.sum && found.rows === wanted.rows) return;
  run.differences.push(
    `${part.table.name}: its ${found.rows} rows are not the ${wanted.rows} that the blocks say`,
  );
}

/** All rows of a table in the order of its key. */
async function* listRows(reader: Reader, table: Table): AsyncGenerator<Record<string, SqlValue>> {
  const names = table.columns.map(({ name }) => name).join(', ');
  const key = table.primaryKey.join(', ');
  const places = table.primaryKey.map((_, i) => `$${i + 1}`).join(', ');
  const select = `select ${names} from ${table.name}`;
  const first = statementOf(`${select} order by ${key} limit $1`);
  const next = statementOf(
    `${select} where (${key}) > (${places}) order by ${key} limit $${table.primaryKey.length + 1}`,
  );
  for (let after: SqlValue[] | undefined; ; ) {
    const rows = after
      ? await reader.all<Record<string, SqlValue>>(next, [...after, COMPARED_AT_ONCE])
      : await reader.all<Record<string, SqlValue>>(first, [COMPARED_AT_ONCE]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < COMPARED_AT_ONCE) return;
    after = table.primaryKey.map((name) => last[name] ?? null);
  }
}

const statements = new Map<string, ReturnType<typeof sql<Record<string, SqlValue>>>>();

/** A statement is compiled once a connection, by its identity. */
function statementOf(text: string) {
  const known = statements.get(text) ?? sql<Record<string, SqlValue>>(text, { bigints: true });
  statements.set(text, known);
  return known;
}

function report(run: Run, where: string, found: readonly string[], wanted: readonly string[]): void {
  if (found.length === wanted.length && found.every((row, i) => row === wanted[i])) return;
  const has = new Set(found);
  const wants = new Set(wanted);
  for (const row of found) {
    if (!wants.has(row)) run.differences.push(`${where}: has ${row}`);
  }
  for (const row of wanted) {
    if (!has.has(row)) run.differences.push(`${where}: lacks ${row}`);
  }
}
