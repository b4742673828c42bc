/// <reference path="../../../test/harness/global-setup.ts" />
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createDatabase, dropDatabase } from '../../../test/harness/postgres.ts';
import { DatabaseUnavailableError } from './database.ts';
import { openPostgresSchema } from './precious-postgres.ts';

let url: string;
beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
});
afterAll(() => dropDatabase(url));

test('a connection that did not answer in time is not used again, and what it held is free', async () => {
  const { db: impatient } = openPostgresSchema(url, { queryTimeoutMs: 1_000 });
  const { db: other } = openPostgresSchema(url);
  const lock = (db: typeof other) =>
    sql<{ locked: boolean }>`select pg_try_advisory_lock(7) as locked`
      .execute(db)
      .then(({ rows }) => rows[0]);
  await impatient.connection().execute(async (connection) => {
    expect(await lock(connection)).toEqual({ locked: true });
    await expect(sql`select pg_sleep(3)`.execute(connection)).rejects.toThrow(DatabaseUnavailableError);
  });
  // The pool gives whoever comes the connection that was used last, so it does not end by being idle.
  await expect
    .poll(
      async () => {
        await sql`select 1`.execute(impatient).catch(() => undefined);
        return await lock(other);
      },
      { timeout: 15_000 },
    )
    .toEqual({ locked: true });
  await Promise.all([impatient.destroy(), other.destroy()]);
});
