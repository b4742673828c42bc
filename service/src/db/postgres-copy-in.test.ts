import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresTables, type PostgresTables } from '../../../test/harness/postgres-tables.ts';
import type { Writer } from './database.ts';
import { sql } from './statement.ts';
import { defineTable } from './table.ts';

/** Wide enough to be copied. */
const LARGE_BYTES = 100_000;

const thingTable = defineTable({
  name: 'thing',
  columns: { id: 'int', worth: 'amount?', label: 'text?', data: 'bytes?' },
  primaryKey: ['id'],
});
const sumTable = defineTable({
  name: 'sum_of_things',
  columns: { id: 'int', sum: 'total', data: 'bytes' },
  primaryKey: ['id'],
});
const COUNT = sql<{ things: number }>('select count(*) as things from thing');
const GET_SUM = sql<{ sum: string; bytes: number }>(
  'select sum, octet_length(data) as bytes from sum_of_things where id = $1',
);

let opened: PostgresTables;
let writer: Writer;

beforeAll(async () => {
  opened = await openPostgresTables([thingTable, sumTable]);
  ({ writer } = opened);
});
afterAll(() => opened.close());

test('rows of any size come back as they were given, whatever is null in them', async () => {
  // More than one message, one row larger than any buffer among them.
  const sizes = Array.from({ length: 9_000 }, (_, i) => (i === 4_007 ? 3_000_000 : (i * 37) % 2_000));
  const ids = sizes.map((_, i) => (i - 4_500) * 2 ** 40);
  const worths = sizes.map((_, i) => (i % 5 === 0 ? null : 2n ** 63n - BigInt(i) - 1n));
  const labels = sizes.map((_, i) => (i % 7 === 0 ? null : `Zoë\t\\N "${i}"\n`));
  const pages = sizes.map((size, i) => (i % 11 === 0 ? null : new Uint8Array(randomBytes(size))));

  await writer.begin();
  await writer.insert(thingTable, ids.length, [ids, worths, labels, pages]);
  await writer.commit();

  const found = await writer.findRows(thingTable, ids.length, [ids]);
  expect(found).toHaveLength(ids.length);
  const byId = new Map(found.map((row) => [Number(row.id), row]));
  for (const [i, id] of ids.entries()) {
    const row = byId.get(id)!;
    expect([row.worth, row.label]).toEqual([worths[i], labels[i]]);
    expect(row.data === null ? null : Buffer.compare(row.data as Uint8Array, pages[i]!)).toBe(
      pages[i] === null ? null : 0,
    );
  }
});

test('rows that the server refuses fail whatever comes next, and nothing of their transaction stays', async () => {
  const before = (await writer.get(COUNT))!.things;
  const data = [1, 2, 3].map(() => new Uint8Array(LARGE_BYTES));
  const nothing = [null, null, null];
  await writer.begin();
  await writer.insert(thingTable, 3, [[1, 2, 1], nothing, nothing, data]);
  await expect(writer.commit()).rejects.toThrow('duplicate key');
  await writer.rollback();
  expect((await writer.get(COUNT))!.things).toBe(before);
});

test('of a copy that the server refuses to begin no row is taken, and the connection goes on', async () => {
  const before = (await writer.get(COUNT))!.things;
  const missing = { ...thingTable, name: 'nowhere' };
  // Far more than the server has room for, so that it has to pass over what comes when it has long refused.
  const data = Array.from({ length: 100 }, () => new Uint8Array(randomBytes(LARGE_BYTES)));
  const ids = data.map((_, i) => 10_000 + i);
  const nothing = data.map(() => null);
  for (const refused of ['does not exist', 'transaction is aborted']) {
    await writer.begin();
    if (refused !== 'does not exist') await expect(writer.run(sql('select 1 / 0'))).rejects.toThrow();
    const table = refused === 'does not exist' ? missing : thingTable;
    const failing = async (): Promise<void> => {
      await writer.insert(table, ids.length, [ids, nothing, nothing, data]);
      await writer.commit();
    };
    await expect(failing()).rejects.toThrow(refused);
    await writer.rollback();
    expect((await writer.get(COUNT))!.things).toBe(before);
  }
  await writer.begin();
  await writer.insert(thingTable, ids.length, [ids, nothing, nothing, data]);
  await writer.commit();
  expect((await writer.get(COUNT))!.things).toBe(before + ids.length);
});

test('a table with sums beyond 64 bits takes large rows, too', async () => {
  await writer.insert(sumTable, 1, [[1], ['123456789012345678901234567890'], [new Uint8Array(LARGE_BYTES)]]);
  expect(await writer.get(GET_SUM, [1])).toEqual({
    sum: '123456789012345678901234567890',
    bytes: LARGE_BYTES,
  });
});
