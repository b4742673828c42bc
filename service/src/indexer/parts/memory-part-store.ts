import { compareBytes } from '@coinfront/protocol/bytes.ts';
import type { SqlValue } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';
import type { PartCell, PartRow, PartTable, PartWriter } from './part.ts';
import { keyOfRow, memoryKey, normalizeRow } from './part-rows.ts';

/** The tables of parts in memory, without undo. */
export type MemoryPartStore = {
  forBlock(height: number): PartWriter;
  /** The rows that were added to a table that is no state since the last call. */
  takeAppended(table: Table): PartRow[];
  /** The rows of a state by their keys; the caller may empty it. */
  takeState(table: Table): Map<string | number, PartRow>;
  /** The key of a row in {@link MemoryPartStore.takeState}. */
  keyOf(table: Table, row: PartRow): string | number;
};

type MemoryCell = PartCell & {
  row: PartRow | undefined;
  readonly table: Table;
  readonly id: string | number;
};

/** Creates the store; tables come into being as they are written. */
export function createMemoryPartStore(): MemoryPartStore {
  const logs = new Map<string, PartRow[]>();
  const states = new Map<string, Map<string | number, MemoryCell>>();
  const stateOf = ({ name }: Table): Map<string | number, MemoryCell> => {
    const known = states.get(name) ?? new Map<string | number, MemoryCell>();
    states.set(name, known);
    return known;
  };
  const keyOf = (table: Table, row: PartRow): string | number =>
    memoryKey(keyOfRow(table, normalizeRow(table, row)));
  const cellOf = (table: Table, key: readonly SqlValue[]): MemoryCell => {
    const id = memoryKey(key);
    const known = stateOf(table).get(id);
    if (known) return known;
    const cell: MemoryCell = { row: undefined, table, id };
    stateOf(table).set(id, cell);
    return cell;
  };
  const set = (given: PartCell, row: PartRow | undefined): void => {
    const cell = given as MemoryCell;
    cell.row = row && normalizeRow(cell.table, row);
  };
  const rowsOf = (table: Table): PartRow[] =>
    [...stateOf(table).values()].flatMap(({ row }) => (row === undefined ? [] : [row]));
  const append = (table: Table, row: PartRow): void => {
    const rows = logs.get(table.name);
    if (rows) rows.push(row);
    else logs.set(table.name, [row]);
  };
  /** One row for each amount that a block changes, with what it comes to in the end. */
  const notePast = (
    rows: Map<MemoryCell, PartRow>,
    table: Table,
    cell: MemoryCell,
    values: readonly SqlValue[],
  ): void => {
    const known = rows.get(cell);
    const row = known ?? {};
    for (const [i, { name }] of table.columns.entries()) row[name] = values[i]!;
    if (known) return;
    rows.set(cell, row);
    append(table, row);
  };
  const createWriter = (height: number, pastRows: Map<MemoryCell, PartRow>): PartWriter => ({
    append: ({ table }, row) => append(table, row),
    find: async ({ table }, key) => cellOf(table, key).row,
    open: async ({ table }, keys) => keys.map((key) => cellOf(table, key)),
    set,
    amounts({ table, past }) {
      const [first, second, amount] = table.columns.map(({ name }) => name) as [string, string, string];
      const cells: { cell: MemoryCell; key: [number, number] }[] = [];
      return {
        async open(firsts, seconds) {
          return firsts.map((number, i) => {
            const key: [number, number] = [number, seconds[i]!];
            return cells.push({ cell: cellOf(table, key), key }) - 1;
          });
        },
        // Sweeps are rare, and who verifies has the time.
        list: async (number, limit) =>
          rowsOf(table)
            .filter((row) => row[first] === number)
            .map((row) => row[second] as number)
            .sort((a, b) => a - b)
            .slice(0, limit),
        get: (slot) => (cells[slot]!.cell.row?.[amount] as bigint | undefined) ?? 0n,
        set(slot, value) {
          const { cell, key } = cells[slot]!;
          set(cell, value === 0n ? undefined : { [first]: key[0], [second]: key[1], [amount]: value });
          if (past) notePast(pastRows, past, cell, [...key, height, value]);
        },
      };
    },
    put: async ({ table }, row) => set(cellOf(table, keyOfRow(table, normalizeRow(table, row))), row),
    remove: async ({ table }, key) => set(cellOf(table, key), undefined),
    async *scan({ table }: PartTable) {
      yield* rowsOf(table).sort((a, b) => compareKeys(keyOfRow(table, a), keyOfRow(table, b)));
    },
  });
  return {
    forBlock: (height) => createWriter(height, new Map()),
    takeAppended({ name }) {
      const rows = logs.get(name) ?? [];
      logs.delete(name);
      return rows;
    },
    takeState: (table) => new Map(rowsOf(table).map((row) => [keyOf(table, row), row])),
    keyOf,
  };
}

/** As the databases sort bytes and numbers. */
function compareKeys(a: readonly SqlValue[], b: readonly SqlValue[]): number {
  for (const [i, value] of a.entries()) {
    const other = b[i]!;
    const order =
      value instanceof Uint8Array && other instanceof Uint8Array
        ? compareBytes(value, other)
        : Number(value! > other) - Number(value! < other);
    if (order !== 0) return order;
  }
  return 0;
}
