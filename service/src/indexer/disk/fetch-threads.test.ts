import { closeSync, openSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ByteFetcher } from './fetch-bytes.ts';
import { createFetchThreads } from './fetch-threads.ts';

const BYTES = 1_000_000;
let folder: string;
let fd: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-fetch-'));
  writeFileSync(join(folder, 'file'), new Uint8Array(BYTES));
  fd = openSync(join(folder, 'file'), 'r');
});
afterAll(async () => {
  closeSync(fd);
  await rm(folder, { recursive: true });
});

/** Threads that take orders. */
async function startThreads(farMs?: number): Promise<ByteFetcher> {
  const threads = createFetchThreads(farMs);
  while (!threads.isTimed) await threads.fetch(fd, 0, 1);
  return threads;
}

test('of every stretch it is told how long it took, however many are asked for in how many turns', async () => {
  // However busy the machine is, its disk is near.
  const threads = await startThreads(Number.POSITIVE_INFINITY);
  const asked: Promise<number>[] = [];
  for (let turn = 0; turn < 20; turn++) {
    for (let i = 0; i < turn * 7; i++) asked.push(threads.fetch(fd, (i * 4_096) % BYTES, 4_096));
    await new Promise(setImmediate);
  }
  for (const ms of await Promise.all(asked)) expect(ms).toBeGreaterThanOrEqual(0);
});

test('where the disk is far, the first stretch of each order is measured, and all are read', async () => {
  const threads = await startThreads(0);
  const took = await Promise.all(Array.from({ length: 4 }, (_, i) => threads.fetch(fd, i * 4_096, 4_096)));
  expect(took.map((ms) => Number.isNaN(ms))).toEqual([false, true, true, true]);
});

test('what cannot be read is over, too: a closed file, and what lies behind the end of one', async () => {
  const threads = await startThreads();
  const closed = openSync(join(folder, 'file'), 'r');
  closeSync(closed);
  const asked = [
    threads.fetch(closed, 0, 4_096),
    threads.fetch(fd, BYTES - 10, 4_096),
    threads.fetch(fd, 0, BYTES),
  ];
  expect(await Promise.all(asked)).toHaveLength(3);
});
