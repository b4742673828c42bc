import type { Writer } from '../../db/database.ts';
import { type SqlValue, type Statement, sql } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';
import { sortRows } from '../encoding/sort-order.ts';
import { undoTable } from '../layout.ts';
import type { IndexerPart, PartCell, PartRow, PartTable, PartWriter } from './part.ts';
import { type AmountCells, openAmountCells } from './part-amounts.ts';
import { type Cell, openPartCells, type PartCells } from './part-cells.ts';
import { keyOfRow, normalizeValue } from './part-rows.ts';
import { createPastAmounts, type PastAmounts } from './past-amounts.ts';
import { createUndoPacker, readUndoRows, type UndoPacker } from './undo-rows.ts';

/**
 * The tables of all parts: collects a batch's changes in memory, writes them with the batch, and undoes blocks.
 */
export type PartStore = {
  /** The writer that parts use for one block; with `recordUndo` the earlier rows are kept. */
  forBlock(height: number, recordUndo: boolean): PartWriter;
  /**
   * Writes what was collected. Within the batch's transaction.
   * @param goesOn more batches share it: what they may change again, and has room in memory, may wait for a call without
   */
  flush(goesOn?: boolean): Promise<void>;
  /**
   * Undoes all blocks from `height` up. Within a transaction, nothing collected.
   * @param firstTxId number of the first transaction of that block
   */
  disconnect(height: number, firstTxId: number): Promise<void>;
  /** Forgets undo rows of blocks below `height`. */
  prune(height: number): Promise<void>;
  /** Forgets what was collected, after a rollback. */
  reset(): void;
};

const LIST_UNDO = sql<{ height: number; table_name: string; rows: Uint8Array }>(
  'select height, table_name, rows from undo where height >= $1 order by height desc, table_name',
);
const DELETE_UNDO_FROM = sql('delete from undo where height >= $1');
const DELETE_UNDO_BELOW = sql('delete from undo where height < $1');

/** Rows that wait to be added to a table, by column. */
type Added = {
  readonly table: Table;
  /** A log's are written with their batch. */
  readonly mayWait: boolean;
  columns: SqlValue[][];
  /** The columns of numbers by which entries are put in the order of their key, the first one last. */
  readonly sortBy: readonly number[];
};

/**
 * Entries and past amounts of a table that wait for more, up to 60 bytes each. The more are written together, the more of them are neighbours in
 * their table.
 */
const WAITING_ROWS = 2 ** 18;

/** What waits to be kept of one block: packs by table. */
type KeptBlock = { height: number; packs: Map<Table, UndoPacker> };

/** Creates the store of these parts' tables. */
export function createPartStore(writer: Writer, parts: readonly IndexerPart[]): PartStore {
  const tables = parts.flatMap((part) => part.tables);
  const byName = new Map(tables.map((part) => [part.table.name, part]));
  const states = new Map<Table, PartCells>();
  const amounts = new Map<Table, AmountCells>();
  const pasts = new Map<Table, PastAmounts>();
  const added = new Map<Table, Added>();
  for (const { table, kind } of tables) {
    if (kind === 'state') states.set(table, openPartCells(writer, table));
    else if (kind === 'amounts') amounts.set(table, openAmountCells(writer, table));
    else if (kind === 'past') pasts.set(table, createPastAmounts());
    else {
      added.set(table, {
        table,
        mayWait: kind !== 'log',
        columns: table.columns.map(() => []),
        sortBy: kind === 'log' ? [] : listKeyNumbers(table),
      });
    }
  }
  const deletions = tables.filter(({ kind }) => kind === 'log').map(({ table }) => describeDeletion(table));
  let kept: KeptBlock[] = [];

  const stateOf = ({ table }: PartTable): PartCells => {
    const cells = states.get(table);
    if (!cells) throw new Error(`table ${table.name} has no state`);
    return cells;
  };

  const amountsOf = ({ table }: PartTable): AmountCells => {
    const cells = amounts.get(table);
    if (!cells) throw new Error(`table ${table.name} has no amounts`);
    return cells;
  };
  const forgetStates = (): void => {
    for (const cells of states.values()) cells.reset();
    for (const cells of amounts.values()) cells.reset();
  };

  const clearAdded = (each: Added): void => {
    if (each.columns[0]!.length > 0) each.columns = each.table.columns.map(() => []);
  };

  const flushRows = async (goesOn = false): Promise<void> => {
    for (const each of added.values()) {
      const { table, mayWait, columns, sortBy } = each;
      const count = columns[0]!.length;
      if (goesOn && mayWait && count < WAITING_ROWS) continue;
      await writer.insert(table, count, sortRows(columns, sortBy));
      clearAdded(each);
    }
    for (const [table, past] of pasts) {
      if (goesOn && past.count < WAITING_ROWS) continue;
      const { count } = past;
      await writer.insert(table, count, past.take());
    }
    for (const cells of states.values()) await cells.flush();
    for (const cells of amounts.values()) if (!goesOn || cells.isFull()) await cells.flush();
  };

  /** What is kept for undoing is whole only when its block is. */
  const flush = async (goesOn?: boolean): Promise<void> => {
    await flushRows(goesOn);
    const packs = kept.flatMap(({ height, packs: ofBlock }) =>
      [...ofBlock].map(([table, pack]) => ({ height, name: table.name, rows: pack.finish() })),
    );
    await writer.insert(undoTable, packs.length, [
      packs.map(({ height }) => height),
      packs.map(({ name }) => name),
      packs.map(({ rows }) => rows),
    ]);
    kept = [];
  };

  return {
    forBlock(height, recordUndo) {
      const packs = new Map<Table, UndoPacker>();
      if (recordUndo) kept.push({ height, packs });
      const packOf = (table: Table): UndoPacker => {
        const known = packs.get(table);
        if (known) return known;
        const pack = createUndoPacker(table);
        packs.set(table, pack);
        return pack;
      };
      const set = (given: PartCell, row: PartRow | undefined): void => {
        const cell = given as Cell;
        // What a row was before the block is what undoing puts back: its first change in the block keeps it.
        if (recordUndo && cell.keptFor !== height) {
          packOf(cell.cells.table).add(cell.key, cell.row);
          cell.keptFor = height;
        }
        cell.cells.set(cell, row);
      };
      return {
        append({ table, kind }, row) {
          const { columns } = added.get(table)!;
          for (let i = 0; i < columns.length; i++) columns[i]!.push(normalizeValue(row, table.columns[i]!));
          if (kind === 'entries' && recordUndo) packOf(table).addKeyOf(row);
        },
        find: async (table, key) => (await stateOf(table).find(key)).row,
        open: (table, keys) => stateOf(table).open(keys),
        set,
        amounts(part) {
          const cells = amountsOf(part);
          const pack = recordUndo ? packOf(part.table) : undefined;
          const past = part.past && pasts.get(part.past);
          if (!pack && !past) return cells;
          return {
            open: cells.open,
            get: cells.get,
            list: cells.list,
            set(slot, amount) {
              const isFirst = cells.markTouched(slot, height);
              if (isFirst) pack?.addAmount(cells.first(slot), cells.second(slot), cells.get(slot));
              if (past && isFirst)
                cells.setPlace(slot, past.add(cells.first(slot), cells.second(slot), height, amount));
              else past?.change(cells.getPlace(slot), amount);
              cells.set(slot, amount);
            },
          };
        },
        put: async (part, row) => set(await stateOf(part).find(keyOfRow(part.table, row)), row),
        remove: async (part, key) => set(await stateOf(part).find(key), undefined),
        scan: (table) => (amounts.get(table.table) ?? stateOf(table)).scan(),
      };
    },

    flush,

    async disconnect(height, firstTxId) {
      forgetStates();
      for (const { statement, by } of deletions)
        await writer.run(statement, [by === 'height' ? height : firstTxId]);
      const gone = new Map<Table, (readonly SqlValue[])[]>();
      const addGone = (table: Table, keys: readonly (readonly SqlValue[])[]): void => {
        const known = gone.get(table);
        if (known) for (const key of keys) known.push(key);
        else gone.set(table, [...keys]);
      };
      // The latest block first, and of a block the latest row, so the row that is put back last is the oldest one.
      for (const { height: undoneHeight, table_name, rows } of await writer.all(LIST_UNDO, [height])) {
        const part = byName.get(table_name);
        if (!part) throw new Error(`an undo row names the unknown table ${table_name}`);
        const undone = readUndoRows(part.table, rows).reverse();
        if (part.kind === 'state') {
          const cells = stateOf(part);
          const opened = await cells.open(undone.map(({ key }) => key));
          for (const [i, { before }] of undone.entries()) cells.set(opened[i]!, before);
        } else if (part.kind === 'amounts') {
          const cells = amountsOf(part);
          const slots = await cells.open(
            undone.map(({ key }) => key[0] as number),
            undone.map(({ key }) => key[1] as number),
          );
          const amountName = part.table.columns[2]!.name;
          for (const [i, { before }] of undone.entries())
            cells.set(slots[i]!, (before?.[amountName] as bigint | undefined) ?? 0n);
          if (part.past)
            addGone(
              part.past,
              undone.map(({ key }) => [...key, undoneHeight]),
            );
        } else
          addGone(
            part.table,
            undone.map(({ key }) => key),
          );
      }
      for (const [table, keys] of gone) {
        await writer.delete(
          table,
          keys.length,
          table.primaryKey.map((_, i) => keys.map((key) => key[i]!)),
        );
      }
      kept = [];
      await flush();
      await writer.run(DELETE_UNDO_FROM, [height]);
    },

    async prune(height) {
      await writer.run(DELETE_UNDO_BELOW, [height]);
    },
    reset() {
      for (const each of added.values()) clearAdded(each);
      for (const past of pasts.values()) past.clear();
      kept = [];
      forgetStates();
    },
  };
}

/** The columns of a key up to the first that is no number, the last one first: sorted by each, rows come to stand in its order. */
function listKeyNumbers(table: Table): number[] {
  const columns = table.primaryKey.map((name) => table.columns.findIndex((column) => column.name === name));
  const ends = columns.findIndex((column) => table.columns[column]!.type !== 'int');
  return columns.slice(0, ends < 0 ? undefined : ends).reverse();
}

/** How the rows of a log are deleted that blocks from a height up have added. */
function describeDeletion({ name, primaryKey }: Table): {
  statement: Statement<never>;
  by: 'height' | 'tx_id';
} {
  const by = primaryKey.find((column) => column === 'height' || column === 'tx_id');
  if (by === undefined) throw new Error(`log table ${name} has neither height nor tx_id in its key`);
  return { statement: sql(`delete from ${name} where ${by} >= $1`), by: by as 'height' | 'tx_id' };
}
