import { compareBytes } from '@coinfront/protocol/bytes.ts';
import type { SqlValue } from '../db/statement.ts';
import type { Table } from '../db/table.ts';
import type { PartRow, PartTable, PartWriter } from './part.ts';
import { keyOfRow, keyText, normalizeRow } from './part-rows.ts';

/** The tables of parts in memory, without undo. */
export type MemoryPartStore = {
  readonly writer: PartWriter;
  /** The rows that were added to a log since the last call. */
  takeAppended(table: Table): PartRow[];
  /** The rows of a state by their keys; the caller may empty it. */
  takeState(table: Table): Map<string, PartRow>;
  /** The key of a row in {@link MemoryPartStore.takeState}. */
  keyOf(table: Table, row: PartRow): string;
};

/** Creates the store; tables come into being as they are written. */
export function createMemoryPartStore(): MemoryPartStore {
  const logs = new Map<string, PartRow[]>();
  const states = new Map<string, Map<string, PartRow>>();
  const stateOf = ({ name }: Table): Map<string, PartRow> => {
    const known = states.get(name) ?? new Map<string, PartRow>();
    states.set(name, known);
    return known;
  };
  const keyOf = (table: Table, row: PartRow): string => keyText(keyOfRow(table, normalizeRow(table, row)));
  return {
    writer: {
      append({ table }, row) {
        const rows = logs.get(table.name);
        if (rows) rows.push(row);
        else logs.set(table.name, [row]);
      },
      find: async ({ table }, key) => stateOf(table).get(keyText(key)),
      preload: async () => {},
      async put({ table }, row) {
        stateOf(table).set(keyOf(table, row), normalizeRow(table, row));
      },
      async remove({ table }, key) {
        stateOf(table).delete(keyText(key));
      },
      async *scan({ table }: PartTable) {
        const rows = [...stateOf(table).values()];
        yield* rows.sort((a, b) => compareKeys(keyOfRow(table, a), keyOfRow(table, b)));
      },
    },
    takeAppended({ name }) {
      const rows = logs.get(name) ?? [];
      logs.delete(name);
      return rows;
    },
    takeState: stateOf,
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
