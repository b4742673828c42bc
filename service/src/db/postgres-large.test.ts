/// <reference path="../../../test/harness/global-setup.ts" />
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '../../../test/harness/postgres.ts';
import type { Database, Reader } from './database.ts';
import { LargeReadError, mostOfSmall } from './large-read.ts';
import { openPostgres } from './postgres.ts';
import { createSharedReader } from './postgres-together.ts';
import { sql } from './statement.ts';

type Row = { id: number; data: Uint8Array };

const SMALL = 1;
const LARGE = 2;
const MISSING = 3;
const FIND_TEXT = 'select id, wide(data) as data from page where id = $1';
const FIND = sql<Row>(FIND_TEXT);
const FIND_SELDOM = sql<Row>(FIND_TEXT, { isSeldom: true });
const LIST = sql<Row>('select p.id, wide(p.data) as data from page p where p.id = any($1) order by p.id');
const LENGTHS = sql<{ id: number; length: number }>(
  'select id, length(data) as length from page where id = any($1)',
);

let url: string;
let database: Database;
let client: pg.Client;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table page (id int8 primary key, data bytea)');
  await client.query('insert into page values ($1, $2), ($3, $4)', [
    SMALL,
    Buffer.alloc(mostOfSmall.bytes, 7),
    LARGE,
    Buffer.alloc(mostOfSmall.bytes + 1, 8),
  ]);
  database = await openPostgres(url);
});
afterAll(async () => {
  await database.close();
  await client.end();
  await dropDatabase(url);
});

const outcomes = async (asked: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(asked)).map((end) =>
    end.status === 'rejected'
      ? end.reason.name
      : [end.value].flat().map((row) => (row as Row | undefined)?.data.length),
  );

test('of those who ask together only who asks for something large is told that it is', async () => {
  const shared = createSharedReader(client, { onlySmall: true });
  const small = [mostOfSmall.bytes];
  const large = LargeReadError.name;
  // The first time those who come together are still asked for one by one.
  for (let turn = 1; turn <= 2; turn++) {
    expect(
      await outcomes([
        shared.get(FIND, [SMALL]),
        shared.get(FIND, [LARGE]),
        shared.get(FIND, [MISSING]),
        shared.lookup(LIST, [SMALL, MISSING]),
        shared.lookup(LIST, [SMALL, LARGE]),
      ]),
    ).toEqual([small, large, [undefined], small, large]);
  }
  expect(await outcomes([shared.get(FIND, [LARGE])])).toEqual([large]);
});

test('many keys of pages are large, and those of small columns are not', async () => {
  const shared = createSharedReader(client, { onlySmall: true });
  const keys = Array.from({ length: mostOfSmall.keys + 1 }, (_, i) => SMALL + i * 10);
  await expect(shared.lookup(LIST, keys)).rejects.toBeInstanceOf(LargeReadError);
  expect(await shared.lookup(LIST, keys.slice(1))).toEqual([]);
  expect(await shared.lookup(LENGTHS, keys)).toHaveLength(1);
});

test('what is asked so seldom that it is never large is given whole', async () => {
  const shared = createSharedReader(client, { onlySmall: true });
  expect(await outcomes([shared.get(FIND_SELDOM, [LARGE])])).toEqual([[mostOfSmall.bytes + 1]]);
});

test('a read that meets something large is made once more by itself, between entering and leaving', async () => {
  const events: string[] = [];
  const readers = new Set<Reader>();
  const enterLarge = async () => {
    events.push('entered');
    return () => void events.push('left');
  };
  const data = await database.snapshot(
    async (reader) => {
      events.push('begun');
      readers.add(reader);
      const small = await reader.get(FIND, [SMALL]);
      return [small, await reader.get(FIND, [LARGE]), ...(await reader.lookup(LIST, [LARGE, SMALL]))];
    },
    { enterLarge },
  );
  expect(data.map((row) => row?.data)).toEqual(
    [7, 8, 7, 8].map((byte) => new Uint8Array(mostOfSmall.bytes + (byte === 8 ? 1 : 0)).fill(byte)),
  );
  expect(events).toEqual(['begun', 'entered', 'begun', 'left']);
  expect(readers.size).toBe(2);
});

test('a read that fails by itself leaves, and one that is known to be large is made once', async () => {
  const events: string[] = [];
  const enterLarge = async () => {
    events.push('entered');
    return () => void events.push('left');
  };
  const fail = async (reader: Reader) => {
    events.push('begun');
    await reader.get(FIND, [LARGE]);
    throw new Error('no such block');
  };
  const read = database.snapshot(fail, { isLarge: true, enterLarge });
  await expect(read).rejects.toThrow('no such block');
  expect(events).toEqual(['entered', 'begun', 'left']);
});

test('what is thrown on entering ends the read', async () => {
  let reads = 0;
  const read = database.snapshot(
    (reader) => {
      reads++;
      return reader.get(FIND, [LARGE]);
    },
    { enterLarge: () => Promise.reject(new Error('no room')) },
  );
  await expect(read).rejects.toThrow('no room');
  expect(reads).toBe(1);
});

test('however many wait with something large, what is small is read meanwhile', async () => {
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const allWait = Promise.withResolvers<void>();
  const enterLarge = async () => {
    waiting++;
    if (waiting === 200) allWait.resolve();
    await gate.promise;
    return () => undefined;
  };
  const find = (reader: Reader) => reader.get(FIND, [LARGE]);
  const large = Array.from({ length: 200 }, () => database.snapshot(find, { enterLarge }));
  await allWait.promise;
  const small = await database.snapshot((reader) => reader.get(FIND, [SMALL]));
  expect(small?.data).toHaveLength(mostOfSmall.bytes);
  gate.resolve();
  const found = await Promise.all(large);
  expect(found.every((row) => row?.data.length === mostOfSmall.bytes + 1)).toBe(true);
});

test('what a snapshot is asked first is of the same moment as what it is asked later', async () => {
  const count = sql<{ pages: number }>('select count(*) as pages from page');
  const both = await database.snapshot(async (reader) => {
    const before = await reader.get(count);
    await client.query('insert into page values (100, null)');
    return [before, await reader.get(count)];
  });
  await client.query('delete from page where id = 100');
  expect(both[1]).toEqual(both[0]);
});
