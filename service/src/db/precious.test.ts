import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql as raw } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { forEachEngine } from '../../../test/harness/engines.ts';
import { startPostgres } from '../../../test/harness/postgres.ts';
import { DatabaseUnavailableError } from './database.ts';
import { type Migrations, openPrecious, type Precious } from './precious.ts';
import { sql } from './statement.ts';

type Tables = { note: { id: number; text: string } };

const migrations: Migrations = {
  '0001_notes': async (db) => {
    await db.schema.createTable('note').addColumn('id', 'bigint').addColumn('text', 'text').execute();
    await db.schema.createIndex('note_id').on('note').column('id').unique().execute();
  },
};
const LIST = sql<{ id: number }>('select id from note order by id');

test('on a full disk are refused with the file and the cause, all that share the commit, and go on when there is room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-full-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'front.db');
  const precious = await openPrecious({ kind: 'sqlite', file }, migrations);
  onTestFinished(() => precious.close());
  const add = (id: number, text: string) =>
    precious.transaction<Tables, unknown>((trx) => trx.insertInto('note').values({ id, text }).execute());
  const limit = (pages: number) => raw`pragma max_page_count = ${raw.lit(pages)}`.execute(precious.query());
  // A file that may not grow fails as a disk without room does.
  await limit(1);
  const outcomes = await Promise.allSettled([add(1, 'x'.repeat(100_000)), add(2, 'y'.repeat(100_000))]);
  for (const outcome of outcomes) {
    const { reason } = outcome as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(DatabaseUnavailableError);
    expect(reason.message).toMatch(
      /^\S+front\.db cannot be written \(database or disk is full\)\. Make room/,
    );
  }
  await limit(1_000_000);
  await add(3, 'z'.repeat(100_000));
  expect((await precious.read(LIST, [])).map(({ id }) => id)).toEqual([3]);
});

test('a transaction that SQLite has taken back by itself is told with its cause, not with what could not be taken back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-taken-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const location = { kind: 'sqlite', file: join(folder, 'front.db') } as const;
  const precious = await openPrecious(location, migrations);
  onTestFinished(() => precious.close());
  const failing = precious.transaction<Tables, unknown>(async (trx) => {
    await raw`rollback`.execute(trx);
    throw new Error('no room');
  });
  await expect(failing).rejects.toThrow('no room');
  await precious.transaction<Tables, unknown>((trx) =>
    trx.insertInto('note').values({ id: 4, text: '' }).execute(),
  );
});

forEachEngine('precious data', (engine) => {
  let precious: Precious;
  let other: Precious;

  beforeAll(async () => {
    const url = await engine.openUrl();
    const location =
      url.kind === 'sqlite' ? ({ kind: 'sqlite', file: join(url.dataDir, 'front.db') } as const) : url;
    precious = await openPrecious(location, migrations);
    other = await openPrecious(location, migrations);
  });
  afterAll(() => Promise.all([precious.close(), other.close()]));

  const add = (id: number, text = '') =>
    precious.transaction<Tables, number>(async (trx) => {
      await trx.insertInto('note').values({ id, text }).execute();
      return id;
    });
  const list = async (from: Precious): Promise<number[]> => (await from.read(LIST, [])).map(({ id }) => id);

  test('of many transactions at once each has its own result, and what fails takes back only its own', async () => {
    await add(5);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 250 }, (_, i) =>
        i % 10 === 3
          ? precious.transaction<Tables, never>(async (trx) => {
              await trx
                .insertInto('note')
                .values({ id: 1000 + i, text: '' })
                .execute();
              throw new Error(`no ${i}`);
            })
          : add(i),
      ),
    );
    for (const [i, outcome] of outcomes.entries()) {
      if (i === 5) expect(outcome.status).toBe('rejected');
      else if (i % 10 === 3) expect(outcome).toMatchObject({ reason: { message: `no ${i}` } });
      else expect(outcome).toEqual({ status: 'fulfilled', value: i });
    }
    const kept = Array.from({ length: 250 }, (_, i) => i).filter((i) => i % 10 !== 3);
    expect(await list(precious)).toEqual(kept);
  });

  test('whoever is told of a commit finds it there from every connection', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const id = await add(3000 + i);
        return (await list(other)).includes(id);
      }),
    );
    expect(new Set(ids)).toEqual(new Set([true]));
  });

  test('whoever is told of a commit finds it there, whatever was read in the same turn before', async () => {
    const added = add(4000);
    const earlier = list(precious);
    await added;
    expect(await list(precious)).toContain(4000);
    await earlier;
  });
});

describe('a precious database', () => {
  test('whose migration fails is not opened, and nothing of the step stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'coinfront-precious-'));
    const location = { kind: 'sqlite', file: join(folder, 'front.db') } as const;
    const broken: Migrations = {
      '0001_notes': async (db) => {
        await migrations['0001_notes']!(db);
        throw new Error('half way');
      },
    };
    await expect(openPrecious(location, broken)).rejects.toThrow(/0001_notes failed/);
    const precious = await openPrecious(location, migrations);
    expect(await precious.read(LIST, [])).toEqual([]);
    await precious.close();
    await rm(folder, { recursive: true });
  });

  test('on a PostgreSQL that is away says so, and works when it is back', async () => {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    await postgres.halt();
    const precious = await openPrecious({ kind: 'postgres', url }, migrations);
    await expect(precious.read(LIST, [])).rejects.toThrow(DatabaseUnavailableError);
    await expect(precious.transaction(async () => 1)).rejects.toThrow(DatabaseUnavailableError);
    await postgres.resume();
    await expect.poll(() => precious.read(LIST, []).catch(() => undefined), { timeout: 20_000 }).toEqual([]);
    await postgres.halt();
    await expect(precious.read(LIST, [])).rejects.toThrow(DatabaseUnavailableError);
    await postgres.resume();
    await expect.poll(() => precious.read(LIST, []).catch(() => undefined), { timeout: 20_000 }).toEqual([]);
    await precious.close();
    await postgres.stop();
  }, 60_000);
});
