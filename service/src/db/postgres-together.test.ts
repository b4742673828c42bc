/// <reference path="../../../test/harness/global-setup.ts" />
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '../../../test/harness/postgres.ts';
import type { Reader } from './database.ts';
import { createPostgresReader } from './postgres-reader.ts';
import { createSharedReader } from './postgres-together.ts';
import { type SqlValue, type Statement, sql } from './statement.ts';

type Row = Record<string, SqlValue>;

const ITEMS = 50;
const byId = sql<Row>('select id, name, hash, sum from item where id = $1');
const below = sql<Row>('select id, name from item where id <= $1 and part = $2 order by id desc limit $3', {
  bigints: true,
});
const byHash = sql<Row>('select id, sum, length(hash) as size from item where hash = $1');
const byName = sql<Row>('select id, part from item where name > $1 order by name');
const after = sql<Row>(
  'select id, sum from item where (sum, id) < ($1, $2) order by sum desc, id desc limit 3',
);
const count = sql<Row>('select count(*) as items from item');
const pages = sql<Row>('select i.id, wide(i.page) as data from item i where i.id > $1 order by i.id limit 4');
const ofParts = sql<Row>('select part, id from item where part = any($1)');

let url: string;
let client: pg.Client;
let queries = 0;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'create table item (id int8 primary key, part int4, name text, hash bytea, sum numeric, page bytea); create index on item (part)',
  );
  await client.query(
    `insert into item select i, i % 7, 'name ' || i % 20, sha256(i::text::bytea), (i % 9)::numeric * 1e20,
       decode(repeat(md5(i::text), i * 10), 'hex')
     from generate_series(1, ${ITEMS}) i`,
  );
  const send = client.query.bind(client) as (...query: unknown[]) => unknown;
  client.query = ((...query: unknown[]) => {
    queries++;
    return send(...query);
  }) as typeof client.query;
});
afterAll(async () => {
  await client.end();
  await dropDatabase(url);
});

type Question = [Statement<Row>, SqlValue[]];

const integer = fc.integer({ min: -1, max: ITEMS + 1 });
const question = fc.oneof(
  fc.tuple(fc.constant(byId), fc.tuple(integer)),
  fc.tuple(
    fc.constant(below),
    fc.tuple(integer, fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 5 })),
  ),
  fc.tuple(fc.constant(byHash), fc.tuple(fc.uint8Array({ maxLength: 32 }))),
  fc.tuple(fc.constant(byName), fc.tuple(fc.string())),
  fc.tuple(fc.constant(after), fc.tuple(fc.bigInt(0n, 10n ** 22n).map(String), integer)),
  fc.tuple(fc.constant(count), fc.constant([])),
  fc.tuple(fc.constant(pages), fc.tuple(integer)),
) as fc.Arbitrary<Question>;

const own = (rows: readonly Row[]): Row[] => rows.map(({ asked_by: _, ...row }) => row);
const askAll = (reader: Reader, questions: readonly Question[]): Promise<Row[][]> =>
  Promise.all(questions.map(async ([statement, params]) => own(await reader.all(statement, params))));

test('a wide column has the bytes of the column, by whichever way it is asked for', async () => {
  const plain = sql<Row>('select id, page as data from item where id > $1 order by id limit 4');
  const expected = own(await createPostgresReader(client).all(plain, [ITEMS - 4]));
  expect(expected.map(({ data }) => (data as Uint8Array).length)).toEqual([7520, 7680, 7840, 8000]);
  const alone = createPostgresReader(client);
  const shared = createSharedReader(client);
  // The first time those who come together are still asked for one by one.
  for (const reader of [alone, shared, shared]) {
    const both = await askAll(reader, [
      [pages, [ITEMS - 4]],
      [pages, [ITEMS - 4]],
    ]);
    expect(both).toEqual([expected, expected]);
  }
  const listed = sql<Row>('select id, wide(page) as data from item where id = any($1)');
  const found = await Promise.all(
    expected.map(async ({ id }) => own(await shared.lookup(listed, [Number(id)]))),
  );
  expect(found).toEqual(expected.map((row) => [row]));
});

test('questions that are asked together have the answers that each has alone', async () => {
  const alone = createPostgresReader(client);
  const shared = createSharedReader(client);
  await fc.assert(
    fc.asyncProperty(fc.array(question, { maxLength: 30 }), async (questions) => {
      const expected: Row[][] = [];
      for (const [statement, params] of questions) expected.push(own(await alone.all(statement, params)));
      expect(await askAll(shared, questions)).toEqual(expected);
    }),
  );
});

test('keys that many look up together have the rows that each finds alone', async () => {
  const alone = createPostgresReader(client);
  const shared = createSharedReader(client);
  const keys = fc.uniqueArray(fc.integer({ min: -1, max: 8 }), { maxLength: 4 });
  const sorted = (rows: readonly Row[]) => own(rows).sort((a, b) => Number(a.id) - Number(b.id));
  await fc.assert(
    fc.asyncProperty(fc.array(keys, { minLength: 2, maxLength: 10 }), async (all) => {
      const found = await Promise.all(all.map((some) => shared.lookup(ofParts, some)));
      for (const [i, rows] of found.entries()) {
        expect(sorted(rows)).toEqual(sorted(await alone.lookup(ofParts, all[i]!)));
      }
    }),
  );
});

describe('how many queries are sent', () => {
  const countQueries = async (run: () => Promise<unknown>): Promise<number> => {
    const before = queries;
    await run();
    return queries - before;
  };

  test('one for all who ask the same in one turn, however many', async () => {
    const shared = createSharedReader(client);
    const questions = Array.from({ length: 16 }, (_, i): Question => [byId, [i]]);
    await askAll(shared, questions);
    expect(await countQueries(() => askAll(shared, questions))).toBe(1);
  });

  test('one for all who look up keys by the same statement', async () => {
    const shared = createSharedReader(client);
    const lookUp = () => Promise.all([[1, 2], [3], [1]].map((keys) => shared.lookup(ofParts, keys)));
    expect(await countQueries(lookUp)).toBe(1);
  });

  test('none for keys of which there are none', async () => {
    expect(await countQueries(() => createSharedReader(client).lookup(ofParts, []))).toBe(0);
  });
});

test('when the query fails, all who wait for it are told, and nobody else', async () => {
  const shared = createSharedReader(client);
  const broken = sql<Row>('select 1 / (id - id) as none from item where id = $1');
  const asked = [shared.all(broken, [1]), shared.all(broken, [2]), shared.all(byId, [3])];
  const ends = await Promise.allSettled(asked);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('what one asks that the server refuses fails for him alone, whoever asks together with him', async () => {
  const byOwnName = sql<Row>('select id from item where name = $1 order by id limit 1');
  const shared = createSharedReader(client);
  // The first time those who come together are still asked for one by one.
  for (let turn = 1; turn <= 3; turn++) {
    const [before, bad, after] = await Promise.allSettled([
      shared.all(byOwnName, ['name 1']),
      shared.all(byOwnName, ['\0']),
      shared.all(byOwnName, ['name 2']),
    ]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
    expect(before).toMatchObject({ status: 'fulfilled', value: [{ id: 1 }] });
    expect(after).toMatchObject({ status: 'fulfilled', value: [{ id: 2 }] });
  }
  const divided = sql<Row>(
    'select part, 60 / (part - 3) as share from item where part = any($1) and id <= 7',
  );
  const [good, none] = await Promise.allSettled([shared.lookup(divided, [1]), shared.lookup(divided, [3])]);
  expect(good).toMatchObject({ status: 'fulfilled', value: [{ part: 1, share: -30 }] });
  expect(none).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
});
