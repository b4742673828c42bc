import type { Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';
import { reorder, sortOrder } from '../encoding/sort-order.ts';
import { createPairIndex } from './pair-index.ts';
import type { PartAmounts, PartRow } from './part.ts';
import { createTableScan } from './scan-table.ts';

/**
 * The amounts of one table as one batch after another changes them. What the database has is remembered: this writer is the
 * only one, so it stays true. All of it is in columns: an object for each amount took a third longer, most of it for the
 * collector of garbage.
 */
export type AmountCells = PartAmounts & {
  readonly table: Table;
  /** The two numbers of a slot's key. */
  first(slot: number): number;
  second(slot: number): number;
  /** Notes that the block at a height changes the amount: true the first time. */
  markTouched(slot: number, height: number): boolean;
  /** The number that whoever changes a slot has given it for the block that touched it last. */
  getPlace(slot: number): number;
  setPlace(slot: number, place: number): void;
  /** Whether there are so many that flushing forgets them. */
  isFull(): boolean;
  /** Writes what has changed. */
  flush(): Promise<void>;
  /** All rows in the order of the key. Slots hold on. */
  scan(): AsyncGenerator<PartRow>;
  /** Forgets everything, also what was not flushed. */
  reset(): void;
};

/** Amounts that are remembered from one batch to the next, 37 bytes each; above it all are forgotten. */
const REMEMBERED = 2 ** 19;
const FIRST_SLOTS = 1_024;
const NEVER = -1;

type Columns = {
  amount: BigInt64Array;
  /** What the database has; zero for no row. */
  stored: BigInt64Array;
  isChanged: Uint8Array;
  /** The last block that changed the amount. */
  touchedBy: Int32Array;
  place: Int32Array;
};

/** Opens the amounts of a table whose columns are two numbers, its key, and an amount. */
export function openAmountCells(writer: Writer, table: Table): AmountCells {
  const keys = createPairIndex(FIRST_SLOTS);
  let columns = createColumns(FIRST_SLOTS);
  let changed: number[] = [];
  /** Whether all rows that there are are here, so that what is not here need not be looked for; undefined: not yet known. */
  let isWhole: boolean | undefined;
  const [firstName, secondName] = table.primaryKey as [string, string];
  const listSeconds = sql<{ second: number }>(
    `select ${secondName} as second from ${table.name} where ${firstName} = $1 order by ${secondName} limit $2`,
  );
  const scan = createTableScan(writer, table);
  const findAny = sql<{ found: number }>(`select 1 as found from ${table.name} limit 1`);

  const grow = (slots: number): void => {
    if (slots <= columns.amount.length) return;
    const larger = createColumns(Math.max(slots, 2 * columns.amount.length));
    larger.amount.set(columns.amount);
    larger.stored.set(columns.stored);
    larger.isChanged.set(columns.isChanged);
    larger.touchedBy.set(columns.touchedBy);
    larger.place.set(columns.place);
    columns = larger;
  };
  const forget = (): void => {
    keys.clear();
    columns = createColumns(FIRST_SLOTS);
    changed = [];
    isWhole = undefined;
  };
  /** Numbers of slots in the order of the key, for rows that are neighbours there are written together. */
  const inOrder = (slots: number[]): number[] =>
    reorder(slots, sortOrder(slots.map((slot) => keys.first(slot))));
  const columnsOf = (slots: readonly number[]) => [
    slots.map((slot) => keys.first(slot)),
    slots.map((slot) => keys.second(slot)),
  ];

  /** Writes what has changed, and forgets nothing. */
  const write = async (): Promise<void> => {
    const { amount, stored, isChanged } = columns;
    const added: number[] = [];
    const updated: number[] = [];
    const removed: number[] = [];
    for (const slot of changed) {
      isChanged[slot] = 0;
      if (amount[slot] === stored[slot]) continue;
      (stored[slot] === 0n ? added : amount[slot] === 0n ? removed : updated).push(slot);
      stored[slot] = amount[slot]!;
    }
    changed = [];
    const gone = inOrder(removed);
    await writer.delete(table, gone.length, columnsOf(gone));
    const kept = inOrder(updated);
    await writer.update(table, kept.length, [...columnsOf(kept), kept.map((slot) => amount[slot]!)]);
    const fresh = inOrder(added);
    await writer.insert(table, fresh.length, [...columnsOf(fresh), fresh.map((slot) => amount[slot]!)]);
  };

  return {
    table,
    async open(first, second) {
      const unread: number[] = [];
      const slots: number[] = new Array(first.length);
      for (let i = 0; i < first.length; i++) {
        const before = keys.size;
        const slot = keys.add(first[i]!, second[i]!);
        slots[i] = slot;
        if (slot !== before) continue;
        grow(slot + 1);
        columns.amount[slot] = 0n;
        columns.stored[slot] = 0n;
        columns.isChanged[slot] = 0;
        columns.touchedBy[slot] = NEVER;
        unread.push(slot);
      }
      if (unread.length === 0) return slots;
      isWhole ??= (await writer.get(findAny)) === undefined;
      if (isWhole) return slots;
      const amountName = table.columns[2]!.name;
      for (const row of await writer.findRows(table, unread.length, columnsOf(unread))) {
        const slot = keys.add(Number(row[firstName]), Number(row[secondName]));
        columns.amount[slot] = row[amountName] as bigint;
        columns.stored[slot] = row[amountName] as bigint;
      }
      return slots;
    },
    get: (slot) => columns.amount[slot]!,
    set(slot, amount) {
      if (columns.isChanged[slot] === 0) changed.push(slot);
      columns.isChanged[slot] = 1;
      columns.amount[slot] = amount;
    },
    first: keys.first,
    second: keys.second,
    markTouched(slot, height) {
      if (columns.touchedBy[slot] === height) return false;
      columns.touchedBy[slot] = height;
      return true;
    },
    getPlace: (slot) => columns.place[slot]!,
    setPlace(slot, place) {
      columns.place[slot] = place;
    },
    async list(first, limit) {
      await write();
      const rows = await writer.all(listSeconds, [first, limit]);
      return rows.map(({ second }) => second);
    },
    isFull: () => keys.size > REMEMBERED,
    async flush() {
      await write();
      if (keys.size > REMEMBERED) forget();
    },
    async *scan() {
      await write();
      yield* scan();
    },
    reset: forget,
  };
}

function createColumns(slots: number): Columns {
  return {
    amount: new BigInt64Array(slots),
    stored: new BigInt64Array(slots),
    isChanged: new Uint8Array(slots),
    touchedBy: new Int32Array(slots),
    place: new Int32Array(slots),
  };
}
