import type { Writer } from '../../db/database.ts';
import { type SqlValue, type Statement, sql } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';
import type { PartCell, PartRow } from './part.ts';
import { keyOfRow, memoryKey, normalizeRow } from './part-rows.ts';
import { createTableScan } from './scan-table.ts';

/** A cell with what the store has to know of it. */
export type Cell = PartCell & {
  readonly cells: PartCells;
  readonly key: readonly SqlValue[];
  row: PartRow | undefined;
  isChanged: boolean;
  /** The last block for which the row was kept before it changed; -1 for none. */
  keptFor: number;
};

/**
 * The rows of one state table as one batch after another changes them. What the database has under a key, a row or none,
 * is remembered: this writer is the only one, so it stays true.
 */
export type PartCells = {
  readonly table: Table;
  /** The cells of keys, in their order; unknown ones are read. */
  open(keys: readonly (readonly SqlValue[])[]): Promise<Cell[]>;
  find(key: readonly SqlValue[]): Promise<Cell>;
  /** Writes to a cell; only {@link PartCells.flush} writes to the database. */
  set(cell: Cell, row: PartRow | undefined): void;
  flush(): Promise<void>;
  /** All rows in the order of the key. */
  scan(): AsyncGenerator<PartRow>;
  /** Forgets everything, also what was not flushed. */
  reset(): void;
};

/** Memory of a generation, about: what was not used for a generation of batches is forgotten. */
const GENERATION_BYTES = 8 * 2 ** 20;
/** What a cell takes without its bytes, and what bytes take besides themselves. */
const CELL_BYTES = 250;
const ARRAY_BYTES = 200;
/** Arrays of so many bytes are objects of the heap. */
const MOST_HEAP_ARRAY_BYTES = 64;

/** Opens the cells of a table. */
export function openPartCells(writer: Writer, table: Table): PartCells {
  const find = describeFind(table);
  const wide = table.columns
    .filter(({ name, type }) => type === 'bytes' && !table.primaryKey.includes(name))
    .map(({ name }) => name);
  const scan = createTableScan(writer, table);
  let young = new Map<string | number, Cell>();
  let old = new Map<string | number, Cell>();
  let changed: Cell[] = [];
  let youngBytes = 0;

  /** Its key is counted with the cell. */
  const countRow = (row: PartRow | undefined): number =>
    row === undefined ? 0 : wide.reduce((sum, name) => sum + bytesOf(row[name]!), 0);
  const addYoung = (id: string | number, cell: Cell): void => {
    young.set(id, cell);
    youngBytes +=
      cell.key.reduce<number>((sum, value) => sum + bytesOf(value), CELL_BYTES) + countRow(cell.row);
  };
  const create = (id: string | number, key: readonly SqlValue[]): Cell => {
    const cell: Cell = { cells, key: key.map(keepAlone), row: undefined, isChanged: false, keptFor: -1 };
    addYoung(id, cell);
    return cell;
  };
  const recall = (id: string | number): Cell | undefined => {
    const recent = young.get(id);
    if (recent) return recent;
    const older = old.get(id);
    if (older) addYoung(id, older);
    return older;
  };
  /** Gives a cell its row. Both have the bytes of the key once: small arrays take ten times their size. */
  const keep = (cell: Cell, row: PartRow): void => {
    cell.row = row;
    for (const [i, name] of table.primaryKey.entries())
      if (row[name] instanceof Uint8Array) row[name] = cell.key[i]!;
    youngBytes += countRow(row);
  };
  /** Between batches only: a cell that is written to must be found again until it is flushed. */
  const age = (): void => {
    if (youngBytes < GENERATION_BYTES) return;
    old = young;
    young = new Map();
    youngBytes = 0;
  };

  const cells: PartCells = {
    table,
    async open(keys) {
      const ids = keys.map(memoryKey);
      const unread: Cell[] = [];
      const opened = keys.map((key, i) => {
        const id = ids[i]!;
        const known = recall(id);
        if (known) return known;
        const cell = create(id, key);
        unread.push(cell);
        return cell;
      });
      if (unread.length === 0) return opened;
      const found = await writer.findRows(
        table,
        unread.length,
        table.primaryKey.map((_, i) => unread.map(({ key }) => key[i]!)),
      );
      for (const each of found) {
        const row = normalizeRow(table, each);
        keep(young.get(memoryKey(keyOfRow(table, row)))!, row);
      }
      return opened;
    },
    async find(key) {
      const id = memoryKey(key);
      const known = recall(id);
      if (known) return known;
      const found = await writer.get(find, key);
      const cell = create(id, key);
      if (found) keep(cell, normalizeRow(table, { ...found }));
      return cell;
    },
    set(cell, row) {
      if (!cell.isChanged) changed.push(cell);
      cell.isChanged = true;
      if (row === undefined) cell.row = undefined;
      else keep(cell, normalizeRow(table, row));
    },
    async flush() {
      const puts = changed.flatMap(({ row }) => (row === undefined ? [] : [row]));
      await writer.upsert(
        table,
        puts.length,
        table.columns.map(({ name }) => puts.map((row) => row[name]!)),
      );
      const removed = changed.filter(({ row }) => row === undefined);
      await writer.delete(
        table,
        removed.length,
        table.primaryKey.map((_, i) => removed.map(({ key }) => key[i]!)),
      );
      for (const cell of changed) cell.isChanged = false;
      changed = [];
      age();
    },
    async *scan() {
      await cells.flush();
      yield* scan();
    },
    reset() {
      young = new Map();
      old = new Map();
      youngBytes = 0;
      changed = [];
    },
  };
  return cells;
}

/**
 * Bytes of a block stay what they are, and keep no block, while a cell has them. Short ones become objects of the heap: memory of their own, as
 * hashes have it, is noted by the collector for each.
 */
function keepAlone(value: SqlValue): SqlValue {
  if (!(value instanceof Uint8Array)) return value;
  if (value.length <= MOST_HEAP_ARRAY_BYTES) return new Uint8Array(value);
  return value.length < value.buffer.byteLength ? value.slice() : value;
}

function bytesOf(value: SqlValue): number {
  return value instanceof Uint8Array ? ARRAY_BYTES + value.length : 0;
}

function describeFind(table: Table): Statement<PartRow> {
  const bigints = table.columns.some((column) => column.type === 'amount');
  const test = table.primaryKey.map((name, i) => `${name} = $${i + 1}`).join(' and ');
  return sql(`select ${table.columns.map(({ name }) => name).join(', ')} from ${table.name} where ${test}`, {
    bigints,
  });
}
