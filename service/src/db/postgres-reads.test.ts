/// <reference path="../../../test/harness/global-setup.ts" />
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase, runSql } from '../../../test/harness/postgres.ts';
import { DatabaseUnavailableError, type Reader } from './database.ts';
import { createSharedReads } from './postgres-reads.ts';
import { sql } from './statement.ts';

type Item = { id: number; version: number };

const byId = sql<Item>('select id, version from item where id = $1');
const all = sql<Record<string, number>>('select * from item where id = $1');
const slowly = sql<{ id: number }>('select id from item, pg_sleep(20) where id = $1');

let url: string;
let pool: pg.Pool;
let read: Reader['all'];
let queries: number;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  await runSql(url, 'create table item (id int8 primary key, version int8)');
  await runSql(url, 'insert into item select i, 0 from generate_series(1, 64) i');
});
afterAll(() => dropDatabase(url));
beforeEach(() => {
  queries = 0;
  pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    const send = client.query.bind(client) as (...query: unknown[]) => unknown;
    client.query = ((...query: unknown[]) => {
      queries++;
      return send(...query);
    }) as typeof client.query;
  });
  read = createSharedReads(pool);
});
afterEach(() => pool.end());

const ids = Array.from({ length: 64 }, (_, i) => i + 1);
const readAll = () => Promise.all(ids.map(async (id) => (await read(byId, [id]))[0]!.id));

test('those who ask in one turn share one query, and each has its own row', async () => {
  expect(await readAll()).toEqual(ids);
  queries = 0;
  expect(await readAll()).toEqual(ids);
  expect(queries).toBe(1);
  expect(await read(byId, [999])).toEqual([]);
  // Nobody reads: the connection is the pool's again, which notices when it breaks.
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
});

test('whoever asks after a commit is told of it, however many read at that time', async () => {
  await readAll();
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  let isWriting = true;
  const busy = Promise.all(
    Array.from({ length: 16 }, async (_, i) => {
      while (isWriting) await read(byId, [i + 1]);
    }),
  );
  for (let version = 1; version <= 200; version++) {
    await writer.query('update item set version = $1 where id = 7', [version]);
    expect((await read(byId, [7]))[0]).toMatchObject({ version });
  }
  isWriting = false;
  await busy;
  await writer.end();
});

test('a table that got another column meanwhile is read with it', async () => {
  const readTwice = () => Promise.all([read(all, [1]), read(all, [2])]);
  for (let i = 0; i < 3; i++) await readTwice();
  await runSql(url, 'alter table item add column more int8 default 5');
  for (const [row] of await readTwice()) expect(row).toMatchObject({ more: 5 });
});

test('when the connection breaks those who wait are told at once, and the next one has another', async () => {
  await readAll();
  const waiting = [read(slowly, [1]), read(byId, [1]), read(byId, [2])].map((asked) =>
    expect(asked).rejects.toThrow(DatabaseUnavailableError),
  );
  await expect
    .poll(async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_sleep(20)%'`,
      );
      await client.end();
      return rowCount;
    })
    .toBe(1);
  await Promise.all(waiting);
  expect(await readAll()).toEqual(ids);
});
