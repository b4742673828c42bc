/// <reference path="../../../test/harness/global-setup.ts" />
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '../../../test/harness/postgres.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { sql } from './statement.ts';

/** Each sending of it takes the next number of a sequence. */
const QUESTION = sql<{ sent: number; value: number }>(
  "select nextval('sent') as sent, (select value from told) as value",
);
const BROKEN = sql('select * from nowhere');

let url: string;
let database: Database;
let other: pg.Client;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('create sequence sent; create table told (value int8); insert into told values (0)');
  database = await openPostgres(url);
});
afterAll(async () => {
  await database.close();
  await other.end();
  await dropDatabase(url);
});

test('who asks in one turn of the event loop shares an answer, who asks while it is under way the next', async () => {
  const ask = () => database.latest!(QUESTION);
  const first = [ask(), ask(), ask()];
  const sentOf = async (answers: readonly ReturnType<typeof ask>[]) =>
    (await Promise.all(answers)).map((answer) => answer!.sent);
  const [sent] = await sentOf(first);
  expect(await sentOf(first)).toEqual([sent, sent, sent]);

  const running = ask();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const later = Array.from({ length: 64 }, ask);
  expect((await running)!.sent).toBe(sent! + 1);
  expect(await sentOf(later)).toEqual(later.map(() => sent! + 2));
});

test('nobody is told what was true only before the question', async () => {
  let told = 0;
  let isOver = false;
  const askers = Array.from({ length: 16 }, async () => {
    let answers = 0;
    while (!isOver) {
      const before = told;
      expect((await database.latest!(QUESTION))!.value).toBeGreaterThanOrEqual(before);
      answers++;
    }
    return answers;
  });
  for (let value = 1; value <= 200; value++) {
    await other.query('update told set value = $1', [value]);
    told = value;
  }
  isOver = true;
  for (const answers of await Promise.all(askers)) expect(answers).toBeGreaterThan(0);
});

test('a question that fails, fails for those who asked it, and not for the next', async () => {
  const failed = database.latest!(BROKEN);
  await expect(failed).rejects.toThrow('nowhere');
  const gone = database.latest!(QUESTION).catch(() => undefined);
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'coinfront' and datname = current_database()`,
  );
  await gone;
  // The session that was ended may be noticed by the next question; the one after it has another.
  await database.latest!(QUESTION).catch(() => undefined);
  expect((await database.latest!(QUESTION))!.value).toBe(200);
});
