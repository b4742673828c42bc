/// <reference path="../../../test/harness/global-setup.ts" />
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '../../../test/harness/postgres.ts';
import type { Database, Writer } from './database.ts';
import { openPostgres } from './postgres.ts';
import { sql } from './statement.ts';
import { defineTable } from './table.ts';
import { ensureTables } from './tables.ts';

const itemTable = defineTable({ name: 'item', columns: { id: 'int', value: 'amount' }, primaryKey: ['id'] });
const pageTable = defineTable({
  name: 'wide_item',
  columns: { id: 'int', rank: 'int', data: 'bytes' },
  primaryKey: ['id'],
});
const LIST_WIDE = sql<{ id: number; rank: number; data: Uint8Array }>(
  'select w.id, w.rank, wide(w.data) as data from wide_item w where id = any($1)',
);
const COUNT = sql<{ items: number }>('select count(*) as items from item');

let url: string;
let database: Database;
let writer: Writer;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  database = await openPostgres(url);
  writer = await database.openWriter();
  await ensureTables(writer, 'postgres', [itemTable, pageTable], 'test');
});
afterAll(async () => {
  await writer.close();
  await database.close();
  await dropDatabase(url);
});

const insert = (...ids: number[]) => writer.insert(itemTable, ids.length, [ids, ids.map(() => 1n)]);
const countItems = async (): Promise<number> => (await writer.get(COUNT))!.items;

test('what is written is there for whatever follows', async () => {
  await writer.begin();
  await insert(1, 2, 3);
  expect(await countItems()).toBe(3);
  await writer.delete(itemTable, 1, [[2]]);
  expect(await writer.findRows(itemTable, 3, [[1, 2, 3]])).toHaveLength(2);
  await writer.commit();
  expect(await database.snapshot(async (reader) => (await reader.get(COUNT))?.items)).toBe(2);
});

test('many rows of wide columns are found as each by itself is', async () => {
  const ids = Array.from({ length: 300 }, (_, i) => i * 2 ** 40);
  const pages = ids.map((_, i) => new Uint8Array(randomBytes(i === 7 ? 200_000 : i * 9)));
  await writer.insert(pageTable, ids.length, [ids, ids.map((_, i) => i - 150), pages]);
  const byId = <Row extends { id: number }>(rows: Row[]) => rows.sort((a, b) => a.id - b.id);

  const together = byId(await writer.lookup(LIST_WIDE, [...ids, 1, 2, 3]));
  expect(together).toEqual(ids.map((id, i) => ({ id, rank: i - 150, data: pages[i] })));
  const singly = await Promise.all(ids.map((id) => writer.lookup(LIST_WIDE, [id])));
  expect(byId(singly.flat())).toEqual(together);
  // Of its own memory: what the driver received is written over by what it receives next.
  for (const { data } of together) expect(data.buffer.byteLength).toBe(data.length);
});

test('a look-up of many wide rows that are not there finds none', async () => {
  const keys = Array.from({ length: 300 }, (_, i) => 1 + i);
  expect(await writer.lookup(LIST_WIDE, keys)).toEqual([]);
});

test.each([
  [
    'a column that is no integer of the index',
    'select id::int2 as id, wide(data) as data',
    /^A copied column has 2 bytes/,
  ],
  [
    'more columns than it names',
    'select coalesce(id, 0) as id, wide(data) as data',
    /^A copied row has 2 columns, not 3/,
  ],
])('a look-up of many wide rows with %s fails, and the session goes on', async (_, columns, reason) => {
  const keys = Array.from({ length: 300 }, (_, i) => i);
  await expect(writer.lookup(sql(`${columns} from wide_item where id = any($1)`), keys)).rejects.toThrow(
    reason,
  );
  expect(await writer.lookup(LIST_WIDE, keys)).toHaveLength(1);
});

test('a look-up of many wide rows that fails says why, and the session goes on', async () => {
  const keys = Array.from({ length: 300 }, (_, i) => i);
  const missing = sql<{ id: number; data: Uint8Array }>(
    'select id, wide(data) as data from nowhere where id = any($1)',
  );
  await expect(writer.lookup(missing, keys)).rejects.toThrow(/"nowhere" does not exist/);
  const late = sql('select 1 / rank as id, wide(data) as data from wide_item where rank + 150 = any($1)');
  await writer.begin();
  await expect(writer.lookup(late, keys)).rejects.toThrow(/division by zero/);
  await writer.rollback();
  expect(await writer.lookup(LIST_WIDE, keys)).toHaveLength(1);
});

describe('a bulk operation that fails', () => {
  const follows: [string, () => Promise<unknown>][] = [
    ['a commit', () => writer.commit()],
    ['another one', () => insert(100)],
    ['a read', () => countItems()],
    ['a look-up of rows', () => writer.findRows(itemTable, 1, [[1]])],
    ['a statement', () => writer.run(sql('delete from item'))],
  ];
  test.each(follows)(
    'is told of by %s that follows, and nothing of the transaction stays',
    async (_, follow) => {
      await writer.begin();
      await insert(10);
      const both = async (): Promise<void> => {
        await insert(1);
        await follow();
      };
      await expect(both()).rejects.toThrow(/duplicate key/);
      await writer.rollback();
      expect(await countItems()).toBe(2);
    },
  );
});
