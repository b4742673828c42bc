import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from './sqlite.ts';
import { sql } from './statement.ts';

async function openFile() {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-checkpoints-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'chain.db');
}

/** The first salt in the header of SQLite's log: another one each time that the log begins anew (SQLite file format, 4.1). */
const saltOfLog = (file: string): number => readFileSync(`${file}-wal`).readUInt32BE(16);

test('what is committed comes into the file while the writer goes on, and the log begins anew', async () => {
  const file = await openFile();
  const database = openSqlite(file);
  const writer = await database.openWriter({ cacheMb: 4 });
  await writer.run(sql('create table blob (id integer primary key, data blob)'));
  let id = 0;
  const commit = async (size: number): Promise<void> => {
    await writer.begin();
    await writer.run(sql('insert into blob values ($1, $2)'), [++id, new Uint8Array(size)]);
    await writer.commit();
  };
  let written = 0;
  for (let round = 0; round < 3; round++) {
    const log = saltOfLog(file);
    for (let i = 0; i < 5; i++) await commit(1_000_000);
    written += 5_000_000;
    // A log begins anew with the first commit that finds all of it in the file: one that no checkpoint is under way beside.
    for (let pauseMs = 100; saltOfLog(file) === log; pauseMs *= 1.5) {
      await delay(pauseMs);
      await commit(1);
      written++;
    }
    expect(statSync(file).size).toBeGreaterThan(5_000_000 * (round + 1));
  }
  const [rows] = await database.snapshot((reader) =>
    reader.all(
      sql<{ count: number; size: number }>('select count(*) as count, sum(length(data)) as size from blob'),
    ),
  );
  expect(rows).toEqual({ count: id, size: written });
  await writer.close();
  await database.close();
}, 120_000);

test('a writer that is closed at once, or with a checkpoint under way, leaves everything behind', async () => {
  const file = await openFile();
  for (const pauseMs of [0, 0, 255, 0, 260]) {
    const database = openSqlite(file);
    const writer = await database.openWriter({ cacheMb: 4 });
    await writer.run(sql('create table if not exists round (id integer primary key)'));
    await writer.begin();
    await writer.run(sql('insert into round default values'));
    await writer.commit();
    await delay(pauseMs);
    await writer.close();
    await database.close();
  }
  const database = openSqlite(file);
  const rows = await database.snapshot((reader) => reader.all(sql('select id from round')));
  expect(rows).toHaveLength(5);
  await database.close();
});
