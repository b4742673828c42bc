/// <reference path="../../../test/harness/global-setup.ts" />
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '../../../test/harness/postgres.ts';
import { type Database, DatabaseUnavailableError, type Reader } from './database.ts';
import { openPostgres } from './postgres.ts';
import { createSnapshots } from './postgres-snapshots.ts';
import { sql } from './statement.ts';

/** As many as are open before the next one waits. */
const FEW = 4;
const GET = sql<{ value: number }>('select value from told');

let url: string;
let database: Database;
let other: pg.Client;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('create table told (value int8); insert into told values (0)');
  database = await openPostgres(url);
});
afterAll(async () => {
  await database.close();
  await other.end();
  await dropDatabase(url);
});

const readValue = async (reader: Reader): Promise<number> => (await reader.get(GET))!.value;
const tell = (value: number) => other.query('update told set value = $1', [value]);

/** Opens a snapshot that stays open until it is told to end. */
async function hold(snapshot: Database['snapshot']): Promise<{ end(): Promise<unknown> }> {
  const held = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const whole = snapshot(async (reader) => {
    await readValue(reader);
    opened.resolve();
    await held.promise;
  });
  await opened.promise;
  return {
    end() {
      held.resolve();
      return whole;
    },
  };
}

test('requests of one turn share a snapshot, those of the next have their own', async () => {
  const readers: Reader[] = [];
  const look = () => database.snapshot(async (reader) => readers.push(reader));
  const first = [look(), look()];
  await Promise.all(first);
  await look();
  expect(readers[1]).toBe(readers[0]);
  expect(readers[2]).not.toBe(readers[0]);
});

test('while a few are open those who come wait together, and see what is true when they begin', async () => {
  const pool = new pg.Pool({ connectionString: url });
  const snapshot = createSnapshots(pool, 60_000);
  const open: { end(): Promise<unknown> }[] = [];
  for (let i = 0; i < FEW; i++) open.push(await hold(snapshot));
  const seen: { reader: Reader; value: number }[] = [];
  const look = () => snapshot(async (reader) => seen.push({ reader, value: await readValue(reader) }));
  const first = look();
  await tell(1);
  const second = look();
  await Promise.all([open[0]!.end(), first, second]);
  expect(seen[1]!.reader).toBe(seen[0]!.reader);
  expect(seen.map(({ value }) => value)).toEqual([1, 1]);
  await Promise.all(open.map(({ end }) => end()));
  await pool.end();
});

test('reads that take long hold up nobody for long', async () => {
  const open: { end(): Promise<unknown> }[] = [];
  for (let i = 0; i < FEW + 2; i++) open.push(await hold(database.snapshot));
  await tell(3);
  expect(await database.snapshot(readValue)).toBe(3);
  await Promise.all(open.map(({ end }) => end()));
});

test('a database that cannot be reached is told to all who wait for it, and to nobody after', async () => {
  const gone = await openPostgres(url.replace(/\/[^/]*$/, '/nowhere'));
  const ends = await Promise.allSettled([gone.snapshot(readValue), gone.snapshot(readValue)]);
  for (const end of ends) {
    expect(end.status === 'rejected' && end.reason).toBeInstanceOf(DatabaseUnavailableError);
  }
  await gone.close();
  expect(await database.snapshot(readValue)).toBe(3);
});
