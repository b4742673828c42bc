import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Writer } from '../db/database.ts';
import { type SqlValue, type Statement, sql } from '../db/statement.ts';
import type { ColumnType, Table } from '../db/table.ts';
import { undoTable } from './layout.ts';
import type { IndexerPart, PartRow, PartTable, PartWriter } from './part.ts';

/**
 * The tables of all parts: collects a batch's changes in memory, writes them with the batch, and undoes blocks.
 */
export type PartStore = {
  /** The writer that parts use for one block; with `recordUndo` the earlier rows are kept. */
  forBlock(height: number, recordUndo: boolean): PartWriter;
  /** Writes all that was collected. Within the batch's transaction. */
  flush(): Promise<void>;
  /** Undoes all blocks from `height` up. Within a transaction, nothing collected. */
  disconnect(height: number): Promise<void>;
  /** Forgets undo rows of blocks below `height`. */
  prune(height: number): Promise<void>;
  /** Forgets what was collected, after a rollback. */
  reset(): void;
};

const LIST_UNDO = sql<{ seq: number; table_name: string; row_key: string; before: string | null }>(
  'select seq, table_name, row_key, before from undo where height >= $1 order by height desc, seq desc',
);
const DELETE_UNDO_FROM = sql('delete from undo where height >= $1');
const DELETE_UNDO_BELOW = sql('delete from undo where height < $1');

type Change = { key: readonly SqlValue[]; row: PartRow | undefined };
type UndoRow = { height: number; seq: number; table: string; key: string; before: string | null };

const SCANNED_AT_ONCE = 2_000;

/** Creates the store of these parts' tables. */
export function createPartStore(writer: Writer, parts: readonly IndexerPart[]): PartStore {
  const tables = parts.flatMap((part) => part.tables);
  const queries = new Map(tables.map((part) => [part.table.name, describePartTable(part)]));
  const appended = new Map<string, PartRow[]>();
  const changed = new Map<string, Map<string, Change>>(tables.map(({ table }) => [table.name, new Map()]));
  let undo: UndoRow[] = [];

  const find = async ({ table }: PartTable, key: readonly SqlValue[]): Promise<PartRow | undefined> => {
    const change = changed.get(table.name)!.get(keyText(key));
    if (change) return change.row;
    const row = await writer.get(queries.get(table.name)!.find, key);
    return row && normalizeRow(table, row);
  };

  const clear = (): void => {
    appended.clear();
    for (const rows of changed.values()) rows.clear();
    undo = [];
  };

  async function* scan({ table }: PartTable): AsyncGenerator<PartRow> {
    await flush();
    const { first, next } = queries.get(table.name)!;
    for (let after: SqlValue[] | undefined; ; ) {
      const rows = after
        ? await writer.all(next, [...after, SCANNED_AT_ONCE])
        : await writer.all(first, [SCANNED_AT_ONCE]);
      for (const row of rows) yield normalizeRow(table, row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < SCANNED_AT_ONCE) return;
      after = table.primaryKey.map((name) => last[name] ?? null);
    }
  }

  async function flush(): Promise<void> {
    for (const { table } of tables) {
      const rows = appended.get(table.name) ?? [];
      await writer.insert(table, rows.length, toColumns(table.columns, rows));
      const changes = [...changed.get(table.name)!.values()];
      const puts = changes.map((change) => change.row).filter((row) => row !== undefined);
      await writer.upsert(table, puts.length, toColumns(table.columns, puts));
      const removed = changes.filter((change) => !change.row).map((change) => change.key);
      await writer.delete(
        table,
        removed.length,
        table.primaryKey.map((_, i) => removed.map((key) => key[i]!)),
      );
    }
    await writer.insert(undoTable, undo.length, [
      undo.map((row) => row.height),
      undo.map((row) => row.seq),
      undo.map((row) => row.table),
      undo.map((row) => row.key),
      undo.map((row) => row.before),
    ]);
    clear();
  }

  return {
    forBlock(height, recordUndo) {
      let seq = 0;
      const change = async (table: PartTable, key: readonly SqlValue[], written: PartRow | undefined) => {
        const row = written && normalizeRow(table.table, written);
        const text = keyText(key);
        if (recordUndo) {
          const before = await find(table, key);
          undo.push({
            height,
            seq: seq++,
            table: table.table.name,
            key: text,
            before: before ? encodeRow(before) : null,
          });
        }
        changed.get(table.table.name)!.set(text, { key, row });
      };
      return {
        append({ table }, row) {
          const rows = appended.get(table.name);
          if (rows) rows.push(row);
          else appended.set(table.name, [row]);
        },
        find,
        put: (table, row) => change(table, keyOf(table, row), row),
        remove: (table, key) => change(table, key, undefined),
        scan,
      };
    },

    flush,

    async disconnect(height) {
      for (const part of tables) {
        if (part.kind === 'log') await writer.run(queries.get(part.table.name)!.deleteFrom, [height]);
      }
      // The latest change first, so the row that is put back last is the oldest one.
      const states = new Map(tables.map((part) => [part.table.name, part]));
      for (const row of await writer.all(LIST_UNDO, [height])) {
        const part = states.get(row.table_name);
        if (!part) throw new Error(`an undo row names the unknown table ${row.table_name}`);
        const before = row.before === null ? undefined : decodeRow(row.before);
        changed.get(row.table_name)!.set(row.row_key, { key: decodeKey(row.row_key), row: before });
      }
      undo = [];
      await flush();
      await writer.run(DELETE_UNDO_FROM, [height]);
    },

    async prune(height) {
      await writer.run(DELETE_UNDO_BELOW, [height]);
    },
    reset: clear,
  };
}

function describePartTable({ table, kind }: PartTable): {
  find: Statement<PartRow>;
  deleteFrom: Statement<never>;
  first: Statement<PartRow>;
  next: Statement<PartRow>;
} {
  const test = table.primaryKey.map((name, i) => `${name} = $${i + 1}`).join(' and ');
  const names = table.columns.map((column) => column.name);
  if (kind === 'log' && !names.includes('height'))
    throw new Error(`log table ${table.name} has no column height`);
  const bigints = table.columns.some((column) => column.type === 'amount');
  const select = `select ${names.join(', ')} from ${table.name}`;
  const key = table.primaryKey.join(', ');
  const places = table.primaryKey.map((_, i) => `$${i + 1}`).join(', ');
  return {
    find: sql(`${select} where ${test}`, { bigints }),
    deleteFrom: sql(`delete from ${table.name} where height >= $1`),
    first: sql(`${select} order by ${key} limit $1`, { bigints }),
    next: sql(
      `${select} where (${key}) > (${places}) order by ${key} limit $${table.primaryKey.length + 1}`,
      { bigints },
    ),
  };
}

function toColumns(columns: readonly { name: string }[], rows: readonly PartRow[]): SqlValue[][] {
  return columns.map(({ name }) => rows.map((row) => row[name] ?? null));
}

/**
 * A row as the engines agree on it: columns in the order of the table, each value in the form of its type. What a part
 * finds, and what is kept for undoing, must not depend on whether the row comes from memory or from the database.
 */
function normalizeRow({ columns }: Table, row: PartRow): PartRow {
  return Object.fromEntries(columns.map(({ name, type }) => [name, normalizeValue(type, row[name] ?? null)]));
}

function normalizeValue(type: ColumnType, value: SqlValue): SqlValue {
  if (value === null || value instanceof Uint8Array) return value;
  if (type === 'int') return Number(value);
  return type === 'amount' ? BigInt(value) : String(value);
}

function keyOf({ table }: PartTable, row: PartRow): SqlValue[] {
  return table.primaryKey.map((name) => row[name] ?? null);
}

/** JSON in which bytes and bigints keep their kind. */
function encodeValue(value: SqlValue): unknown {
  if (typeof value === 'bigint') return { n: String(value) };
  if (value instanceof Uint8Array) return { x: bytesToHex(value) };
  return value;
}

function decodeValue(value: unknown): SqlValue {
  if (typeof value !== 'object' || value === null) return value as SqlValue;
  const tagged = value as { n?: string; x?: string };
  return tagged.n !== undefined ? BigInt(tagged.n) : getHexBytes(tagged.x ?? '');
}

function keyText(key: readonly SqlValue[]): string {
  return JSON.stringify(key.map(encodeValue));
}

function decodeKey(text: string): SqlValue[] {
  return (JSON.parse(text) as unknown[]).map(decodeValue);
}

function encodeRow(row: PartRow): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, encodeValue(value)])),
  );
}

function decodeRow(text: string): PartRow {
  const row = JSON.parse(text) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, decodeValue(value)]));
}
