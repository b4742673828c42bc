import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { Writer } from '../db/database.ts';
import { type SqlValue, type Statement, sql } from '../db/statement.ts';
import { undoTable } from './layout.ts';
import type { IndexerPart, PartRow, PartTable, PartWriter } from './part.ts';
import { keyOfRow, keyText, normalizeRow } from './part-rows.ts';

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
/** Rows that are remembered of all tables together, and bytes of one value: scripts can be long, and rarely are. */
const REMEMBERED_ROWS = 100_000;
const REMEMBERED_BYTES = 256;

/** Creates the store of these parts' tables. */
export function createPartStore(writer: Writer, parts: readonly IndexerPart[]): PartStore {
  const tables = parts.flatMap((part) => part.tables);
  const queries = new Map(tables.map((part) => [part.table.name, describePartTable(part)]));
  const appended = new Map<string, PartRow[]>();
  const changed = new Map<string, Map<string, Change>>(tables.map(({ table }) => [table.name, new Map()]));
  /** What the database has under a key, a row or none: this writer is the only one, so it stays true. */
  const remembered = new Map<string, Map<string, PartRow | undefined>>(
    tables.map(({ table }) => [table.name, new Map()]),
  );
  let rememberedRows = 0;
  let undo: UndoRow[] = [];

  const remember = (name: string, text: string, row: PartRow | undefined): void => {
    if (row !== undefined && !isSmall(row)) {
      remembered.get(name)!.delete(text);
      return;
    }
    if (rememberedRows >= REMEMBERED_ROWS) forget();
    rememberedRows++;
    remembered.get(name)!.set(text, row);
  };
  const forget = (): void => {
    for (const rows of remembered.values()) rows.clear();
    rememberedRows = 0;
  };

  const findByText = async (
    { table }: PartTable,
    key: readonly SqlValue[],
    text: string,
  ): Promise<PartRow | undefined> => {
    const change = changed.get(table.name)!.get(text);
    if (change) return change.row;
    const rows = remembered.get(table.name)!;
    const known = rows.get(text);
    if (known !== undefined || rows.has(text)) return known;
    const found = await writer.get(queries.get(table.name)!.find, key);
    const row = found && normalizeRow(table, found);
    remember(table.name, text, row);
    return row;
  };

  const find = (table: PartTable, key: readonly SqlValue[]): Promise<PartRow | undefined> =>
    findByText(table, key, keyText(key));

  const preload = async ({ table }: PartTable, keys: readonly (readonly SqlValue[])[]): Promise<void> => {
    const changes = changed.get(table.name)!;
    const rows = remembered.get(table.name)!;
    const unread = new Map<string, readonly SqlValue[]>();
    for (const key of keys) {
      const text = keyText(key);
      if (!changes.has(text) && !rows.has(text)) unread.set(text, key);
    }
    if (unread.size === 0) return;
    const wanted = [...unread.values()];
    const found = await writer.findRows(
      table,
      wanted.length,
      table.primaryKey.map((_, i) => wanted.map((key) => key[i]!)),
    );
    // So that what is read here is not forgotten at once.
    if (rememberedRows + 2 * wanted.length > REMEMBERED_ROWS) forget();
    for (const text of unread.keys()) remember(table.name, text, undefined);
    for (const each of found) {
      const row = normalizeRow(table, each);
      remember(table.name, keyText(keyOfRow(table, row)), row);
    }
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
    for (const [name, changes] of changed) {
      for (const [text, { row }] of changes) remember(name, text, row);
    }
    clear();
  }

  return {
    forBlock(height, recordUndo) {
      let seq = 0;
      /** What a row was before the block is what undoing puts back: its first change in the block keeps it. */
      const kept = new Map<string, Set<string>>();
      const keepBefore = async (part: PartTable, key: readonly SqlValue[], text: string): Promise<void> => {
        const { name } = part.table;
        const texts = kept.get(name);
        if (texts?.has(text)) return;
        if (texts) texts.add(text);
        else kept.set(name, new Set([text]));
        const before = await findByText(part, key, text);
        undo.push({
          height,
          seq: seq++,
          table: name,
          key: encodeKey(key),
          before: before ? encodeRow(before) : null,
        });
      };
      const change = async (part: PartTable, key: readonly SqlValue[], written: PartRow | undefined) => {
        const text = keyText(key);
        if (recordUndo) await keepBefore(part, key, text);
        const row = written && normalizeRow(part.table, written);
        changed.get(part.table.name)!.set(text, { key, row });
      };
      return {
        append({ table }, row) {
          const rows = appended.get(table.name);
          if (rows) rows.push(row);
          else appended.set(table.name, [row]);
        },
        find,
        preload,
        put: (table, row) => change(table, keyOfRow(table.table, row), row),
        remove: (table, key) => change(table, key, undefined),
        scan,
      };
    },

    flush,

    async disconnect(height) {
      forget();
      for (const part of tables) {
        if (part.kind === 'log') await writer.run(queries.get(part.table.name)!.deleteFrom, [height]);
      }
      // The latest change first, so the row that is put back last is the oldest one.
      const states = new Map(tables.map((part) => [part.table.name, part]));
      for (const row of await writer.all(LIST_UNDO, [height])) {
        const part = states.get(row.table_name);
        if (!part) throw new Error(`an undo row names the unknown table ${row.table_name}`);
        const before = row.before === null ? undefined : decodeRow(row.before);
        const key = decodeKey(row.row_key);
        changed
          .get(row.table_name)!
          .set(keyText(key), { key, row: before && normalizeRow(part.table, before) });
      }
      undo = [];
      await flush();
      await writer.run(DELETE_UNDO_FROM, [height]);
    },

    async prune(height) {
      await writer.run(DELETE_UNDO_BELOW, [height]);
    },
    reset() {
      clear();
      forget();
    },
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

function isSmall(row: PartRow): boolean {
  for (const name in row) {
    const value = row[name];
    if (value instanceof Uint8Array && value.length > REMEMBERED_BYTES) return false;
  }
  return true;
}

function toColumns(columns: readonly { name: string }[], rows: readonly PartRow[]): SqlValue[][] {
  return columns.map(({ name }) => rows.map((row) => row[name] ?? null));
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

function encodeKey(key: readonly SqlValue[]): string {
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
