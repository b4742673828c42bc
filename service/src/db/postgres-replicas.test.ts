import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../test/harness/litecoind.ts';
import {
  startPostgres,
  startStandby,
  type TestPostgres,
  type TestStandby,
} from '../../../test/harness/postgres.ts';
import { type Database, DatabaseUnavailableError, type Reader } from './database.ts';
import { openReplicated, type ReplicatedDatabase } from './postgres-replicas.ts';
import { sql } from './statement.ts';

const POSITION = sql<{ value: string }>("select value from meta where key = 'revision'");
const WHERE = sql<{ value: string; is_standby: number }>(
  "select value, pg_is_in_recovery()::int as is_standby from meta where key = 'revision'",
);

let primary: TestPostgres;
let standbys: TestStandby[];
let url: string;
let writer: pg.Client;
let position = 0;
let opened: ReplicatedDatabase;
let changes: [name: string, problem: string | undefined][];

beforeAll(async () => {
  primary = await startPostgres();
  url = await primary.createDatabase();
  writer = await connect();
  await writer.query(
    "create table meta (key text primary key, value text); insert into meta values ('revision', '0')",
  );
  standbys = await Promise.all([startStandby(primary), startStandby(primary)]);
});
afterAll(async () => {
  await writer.end();
  await Promise.all([primary, ...standbys].map((server) => server.stop()));
});
beforeEach(async () => {
  changes = [];
  opened = await openWith(standbys);
});
afterEach(() => opened.database.close());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // One test ends the server.
  client.on('error', () => {});
  await client.connect();
  return client;
}

const openWith = (used: readonly TestStandby[], urls = url): Promise<ReplicatedDatabase> =>
  openReplicated(urls, used.map((standby) => standby.urlOf(url)).join(','), {
    position: POSITION,
    first: 0,
    onChange: (name, problem) => changes.push([name, problem]),
  });

const write = async (): Promise<number> => {
  position += 1;
  await writer.query("update meta set value = $1 where key = 'revision'", [position]);
  return position;
};
const readIn = async ({ snapshot }: Database, options = {}) => {
  const row = await snapshot((reader: Reader) => reader.get(WHERE), options);
  return { position: Number(row!.value), isStandby: row!.is_standby === 1 };
};
const states = () => [...opened.listStates().values()];

test('reads come from a replica, and each has what was written before it began', async () => {
  for (let i = 0; i < 50; i++) {
    const written = await write();
    const found = await Promise.all(Array.from({ length: 5 }, () => readIn(opened.database)));
    expect(found.every((one) => one.position >= written)).toBe(true);
  }
  await waitUntil('a replica is read', async () => (await readIn(opened.database)).isStandby);
  expect(await readIn(opened.database, { fromPrimary: true })).toEqual({ position, isStandby: false });
});

test('one that is behind is left out until it has caught up, and the other one is read', async () => {
  await write();
  await waitUntil('both are in step', async () => {
    await readIn(opened.database);
    return states().every((state) => state === 'in');
  });
  await standbys[0]!.setReplaying(false);
  onTestFinished(() => standbys[0]!.setReplaying(true));
  const written = await write();
  expect((await readIn(opened.database)).position).toBeGreaterThanOrEqual(written);
  await waitUntil('it is out', () => states()[0] === 'behind');
  await waitUntil('the other is read', async () => (await readIn(opened.database)).isStandby);

  await standbys[1]!.setReplaying(false);
  onTestFinished(() => standbys[1]!.setReplaying(true));
  const later = await write();
  expect(await readIn(opened.database)).toEqual({ position: later, isStandby: false });

  await Promise.all(standbys.map((standby) => standby.setReplaying(true)));
  await waitUntil('both are back', () => states().every((state) => state === 'in'));
  expect(await readIn(opened.database)).toEqual({ position: later, isStandby: true });
  // It was over before it was worth a word.
  expect(changes).toEqual([]);
});

test('one that ends is left out at once, and is back by itself', async () => {
  await write();
  await waitUntil('a replica is read', async () => (await readIn(opened.database)).isStandby);
  await standbys[0]!.halt();
  onTestFinished(() => standbys[0]!.resume());
  expect((await readIn(opened.database)).position).toBe(position);
  await write();
  expect((await readIn(opened.database)).position).toBe(position);
  await waitUntil('it is out', () => states()[0] === 'failing');
  await standbys[0]!.resume();
  await waitUntil('it is back', () => states()[0] === 'in');
});

test('a database that is no replica of the primary is never read', async () => {
  const other = await primary.createDatabase();
  const foreign = new pg.Client({ connectionString: other });
  await foreign.connect();
  await foreign.query(
    "create table meta (key text primary key, value text); insert into meta values ('revision', '999999')",
  );
  await foreign.end();
  const mistaken = await openReplicated(url, other, { position: POSITION, first: 0, onChange: () => {} });
  onTestFinished(() => mistaken.database.close());
  expect(await readIn(mistaken.database)).toEqual({ position, isStandby: false });
  // Its answer may come after its read has given up waiting.
  await waitUntil('it is known as none', () => [...mistaken.listStates().values()][0] === 'failing');
  expect(await readIn(mistaken.database)).toEqual({ position, isStandby: false });
});

test('without the primary, replicas are read that have what this process has shown; writes and questions to it fail', async () => {
  const apart = await startStandby(primary);
  onTestFinished(() => apart.stop());
  const { database } = await openWith([apart]);
  onTestFinished(() => database.close());
  await write();
  await waitUntil('the replica is read', async () => (await readIn(database)).isStandby);
  await primary.halt();
  expect(await readIn(database)).toEqual({ position, isStandby: true });
  await expect(database.latest!(POSITION)).rejects.toThrow(DatabaseUnavailableError);
  // Somebody was shown more by the primary than the replica ever got.
  database.noteShown!(position + 1);
  await expect(readIn(database)).rejects.toThrow(DatabaseUnavailableError);
  await primary.resume();
  writer = await connect();
  await write();
  await waitUntil('all is as before', async () => (await readIn(database)).position === position);
}, 60_000);
