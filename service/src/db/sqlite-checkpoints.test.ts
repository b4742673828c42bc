import { statSync } from 'node:fs';
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

const sizeOf = (file: string): number => statSync(file).size;

test('what is committed comes into the file while the writer goes on, and the log begins anew', async () => {
  const file = await openFile();
  const database = openSqlite(file);
  const writer = await database.openWriter({ cacheMb: 4 });
  await writer.run(sql('create table blob (id integer primary key, data blob)'));
  const commit = async (id: number): Promise<void> => {
    await writer.begin();
    await writer.run(sql('insert into blob values ($1, $2)'), [id, new Uint8Array(1_000_000).fill(id)]);
    await writer.commit();
  };
  let id = 0;
  let sizeOfLog = 0;
  for (const reached of [5_000_000, 10_000_000, 15_000_000]) {
    while (id * 1_000_000 < reached) await commit(++id);
    while (sizeOf(file) < reached) await delay(20);
    sizeOfLog = Math.max(sizeOfLog, sizeOf(`${file}-wal`));
  }
  // It would have all 15 if it had never begun anew.
  expect(sizeOfLog).toBeLessThan(11_000_000);
  const rows = await database.snapshot((reader) =>
    reader.all(sql<{ id: number; size: number }>('select id, length(data) as size from blob order by id')),
  );
  expect(rows).toEqual(Array.from({ length: id }, (_, i) => ({ id: i + 1, size: 1_000_000 })));
  await writer.close();
  await database.close();
});

test('a writer that is closed at once, or with a checkpoint under way, leaves everything behind', async () => {
  const file = await openFile();
  for (const pauseMs of [0, 0, 1_005, 0, 1_010]) {
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
