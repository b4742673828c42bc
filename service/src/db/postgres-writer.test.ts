import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresTables, type PostgresTables } from '../../../test/harness/postgres-tables.ts';
import type { Database, Writer } from './database.ts';
import { sql } from './statement.ts';
import { defineTable } from './table.ts';

const itemTable = defineTable({ name: 'item', columns: { id: 'int', value: 'amount' }, primaryKey: ['id'] });
const COUNT = sql<{ items: number }>('select count(*) as items from item');

let opened: PostgresTables;
let database: Database;
let writer: Writer;

beforeAll(async () => {
  opened = await openPostgresTables([itemTable]);
  ({ database, writer } = opened);
});
afterAll(() => opened.close());

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
