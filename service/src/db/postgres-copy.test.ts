import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../test/harness/litecoind.ts';
import { openPostgresTables, type PostgresTables } from '../../../test/harness/postgres-tables.ts';
import { type Database, DatabaseUnavailableError, type Writer } from './database.ts';
import { sql } from './statement.ts';
import { defineTable } from './table.ts';

const pageTable = defineTable({
  name: 'wide_item',
  columns: { id: 'int', rank: 'int', data: 'bytes' },
  primaryKey: ['id'],
});
const LIST_WIDE = sql<{ id: number; rank: number; data: Uint8Array }>(
  'select w.id, w.rank, wide(w.data) as data from wide_item w where id = any($1)',
);

let opened: PostgresTables;
let database: Database;
let writer: Writer;

beforeAll(async () => {
  opened = await openPostgresTables([pageTable]);
  ({ database, writer } = opened);
});
afterAll(() => opened.close());

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

/** Ends the session of a look-up that has gone on for a while. */
async function cutOff(): Promise<void> {
  const other = new pg.Client({ connectionString: opened.url });
  await other.connect();
  try {
    await waitUntil('a slow look-up is cut off', async () => {
      const { rows } = await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'coinfront' and query like 'copy%' and query_start < now() - interval '0.5 s'`,
      );
      return rows.length > 0;
    });
  } finally {
    await other.end();
  }
}

test('a look-up through a connection of the API that is cut off in its midst says that the database is away', async () => {
  const ids = Array.from({ length: 300 }, (_, i) => i * 2 ** 40);
  const look = () => database.snapshot((reader) => reader.lookup(LIST_WIDE, ids));
  expect(await look()).toHaveLength(300);

  // Slow, so that it is cut off when the server has sent the first rows, of which one has 200 KB.
  const slow = sql(
    'select w.id, wide(w.data) as data from wide_item w where id = any($1) and pg_sleep(0.02) is not null',
  );
  const looking = database.snapshot((reader) => reader.lookup(slow, ids));
  const [outcome] = await Promise.allSettled([looking, cutOff()]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailableError) });

  expect(await look()).toHaveLength(300);
});
