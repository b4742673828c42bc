/// <reference path="../../../test/harness/global-setup.ts" />
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { createDatabase, dropDatabase } from '../../../test/harness/postgres.ts';
import type { Database, Writer } from '../db/database.ts';
import { openPostgres } from '../db/postgres.ts';
import { sql } from '../db/statement.ts';
import { ensureTables } from '../db/tables.ts';
import { openRevision } from './revision.ts';
import { createLeaseMemory, forgetLease, LEASE_MS, openRevisionLease, readLease } from './revision-lease.ts';

const REVISION = sql<{ value: string }>("select value from meta where key = 'revision'");

let url: string;
let database: Database;
const writers: Writer[] = [];

beforeEach(async () => {
  // Clocks that leases look at stand still, however busy the machine is.
  vi.useFakeTimers({ toFake: ['hrtime', 'Date'] });
  url = await createDatabase(inject('postgresUrl'));
  database = await openPostgres(url);
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(writers.splice(0).map((writer) => writer.close().catch(() => {})));
  await database.close();
  await dropDatabase(url);
});

/** Holds the lock, and tells what it commits. */
async function hold() {
  const held = await database.openWriter();
  writers.push(held);
  await ensureTables(held, 'postgres', [], 'test');
  const memory = createLeaseMemory();
  const lease = openRevisionLease(memory, { ...held, checkSession: held.checkSession! });
  const revision = openRevision(lease.writer, lease.announce);
  const commit = async (): Promise<void> => {
    await lease.writer.begin();
    await revision.bump();
    await lease.writer.commit();
  };
  return { held, memory, lease, revision, commit };
}

/** What the database says by another connection. */
const ask = async (): Promise<string | undefined> => (await database.latest!(REVISION))?.value;

test('a revision is told while the session of the lock has just answered, and no longer', async () => {
  const { memory, lease } = await hold();
  await lease.begin();
  expect(readLease(memory).revision).toBeUndefined();
  await lease.renew();
  const { revision, leftMs } = readLease(memory);
  expect(revision).toBe(await ask());
  expect(leftMs).toBeLessThanOrEqual(LEASE_MS);

  await lease.renew();
  vi.advanceTimersByTime(LEASE_MS - 1);
  expect(readLease(memory).revision).toBe(revision);
  vi.advanceTimersByTime(1);
  expect(readLease(memory).revision).toBeUndefined();
});

test('a clock of the day that was moved, as where a machine was suspended, ends it', async () => {
  const { memory, lease } = await hold();
  await lease.begin();
  await lease.renew();
  expect(readLease(memory).revision).toBeDefined();
  const nowMs = Date.now();
  for (const movedMs of [LEASE_MS, -60_000]) {
    vi.setSystemTime(nowMs + movedMs);
    expect(readLease(memory).revision, `${movedMs}`).toBeUndefined();
  }
});

test('while a commit is under way nothing is told, and after it the new revision', async () => {
  const { memory, lease, revision, held } = await hold();
  await lease.begin();
  await lease.renew();
  const before = readLease(memory).revision;
  await lease.writer.begin();
  await revision.bump();
  // Others do not see it yet.
  expect(readLease(memory).revision).toBe(before);
  expect(await ask()).toBe(before);
  const committing = lease.writer.commit();
  expect(readLease(memory).revision).toBeUndefined();
  await committing;
  await lease.renew();
  expect(readLease(memory).revision).toBe(await ask());
  expect(readLease(memory).revision).not.toBe(before);

  const present = await ask();
  await lease.writer.begin();
  await revision.bump();
  await lease.writer.rollback();
  await lease.writer.begin();
  await lease.writer.commit();
  expect(readLease(memory).revision).toBe(present);
  expect(await ask()).toBe(present);
  expect(held.checkSession).toBeDefined();
});

test('of a commit that the session did not live to see nothing is told, nor of a thread that has ended', async () => {
  const { memory, lease, revision, commit } = await hold();
  await commit();
  await lease.renew();
  expect(readLease(memory).revision).toBe(await ask());
  await lease.writer.begin();
  await revision.bump();
  await endSessions();
  await expect(lease.writer.commit()).rejects.toThrow();
  expect(readLease(memory).revision).toBeUndefined();

  const next = await hold();
  await next.commit();
  await next.lease.renew();
  expect(readLease(next.memory).revision).toBe(await ask());
  forgetLease(next.memory);
  expect(readLease(next.memory).revision).toBeUndefined();
});

test('a session that has failed in its transaction proves nothing, and hides its error from nobody', async () => {
  const { memory, lease } = await hold();
  await lease.begin();
  await lease.writer.begin();
  await expect(lease.writer.run(sql('select * from nowhere'))).rejects.toThrow('nowhere');
  await lease.renew();
  expect(readLease(memory).revision).toBeUndefined();
  await lease.writer.rollback();
  await lease.renew();
  expect(readLease(memory).revision).toBe(await ask());
});

test('who takes the lock over commits nothing while the one before it, without a session, still tells its revision', async () => {
  vi.useRealTimers();
  for (let round = 0; round < 3; round++) {
    const before = await hold();
    await before.commit();
    const renewing = before.lease.renew();
    await endSessions(renewing);
    const after = await hold();
    const committing = after.commit();
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    committing.then(over, over);
    while (!isOver) {
      const told = readLease(before.memory).revision;
      const present = await ask();
      // Told before the question was sent.
      if (told !== undefined) expect(Number(present)).toBeGreaterThanOrEqual(Number(told));
      const later = readLease(before.memory).revision;
      if (later !== undefined) expect(later).toBe(present);
    }
    await committing;
    expect(readLease(before.memory).revision).toBeUndefined();
    await after.held.close();
  }
});

/** Ends the sessions of all that index, as an operator does; returns when they hold no lock any more. */
async function endSessions(first: Promise<void> = Promise.resolve()): Promise<void> {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await first;
  try {
    const indexers =
      "from pg_stat_activity where application_name = 'coinfront indexer' and datname = current_database()";
    await other.query(`select pg_terminate_backend(pid, 5000) ${indexers}`);
  } finally {
    await other.end();
  }
}
