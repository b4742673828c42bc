import { expect, test } from 'vitest';
import { DatabaseDamagedError } from '../../db/damage.ts';
import type { RunFile } from '../runs/run-file.ts';
import { createDiskPace, type DiskPace } from './disk-pace.ts';
import { readAhead, readEach } from './pages-ahead.ts';

type Disk = { file: RunFile; pace: DiskPace; rounds: number[][]; read: number[] };

/** A file of which nothing is in memory, and the pages that were fetched of it in each turn of the event loop. */
function coldFile(): Disk {
  const inMemory = new Set<number>();
  const disk: Pick<Disk, 'rounds' | 'read'> = { rounds: [], read: [] };
  let round: number[] | undefined;
  const touch = async (_: number, page: number): Promise<void> => {
    if (!round) {
      round = [];
      disk.rounds.push(round);
    }
    round.push(page);
    await new Promise(setImmediate);
    round = undefined;
    inMemory.add(page);
  };
  const file = {
    name: 'run',
    touch,
    read(_: number, page: number) {
      if (!inMemory.has(page)) throw new Error(`page ${page} was waited for`);
      disk.read.push(page);
      return { number: page };
    },
  } as unknown as RunFile;
  const pace = createDiskPace({ isTimed: true, fetch: async () => 0 });
  return { ...disk, file, pace };
}

test('pages of which one leads to the other are fetched one after another, and nothing is waited for', async () => {
  const { file, pace, rounds } = coldFile();
  const sum = await readAhead(pace, (files) => {
    const opened = files.file(file);
    const first = opened.read(0, 3).number;
    return first + opened.read(0, first + 4).number;
  });
  expect(sum).toBe(10);
  expect(rounds).toEqual([[3], [7]]);
});

test('pages of items that do not hang on one another are fetched at once, each once', async () => {
  const { file, pace, rounds, read } = coldFile();
  const found = await readAhead(pace, (files) => {
    const pages: number[] = [];
    readEach([5, 9, 5, 2], (page) => pages.push(files.file(file).read(0, page).number));
    return pages;
  });
  expect(found).toEqual([5, 9, 5, 2]);
  expect(rounds).toEqual([[5, 9, 2]]);
  expect(read).toEqual([5, 9, 5, 2]);
});

test('what is damaged is told of, also behind pages that are missing', async () => {
  const { file, pace } = coldFile();
  const reading = readAhead(pace, (files) =>
    readEach([1, 2], (page) => {
      if (page === 2) throw new DatabaseDamagedError('page 2 is damaged');
      files.file(file).read(0, page);
    }),
  );
  await expect(reading).rejects.toThrow('page 2 is damaged');
});

test('where pages come to be missing for ever, they are waited for in the end', async () => {
  const { file, pace, rounds } = coldFile();
  let page = 0;
  const reading = readAhead(pace, (files) => files.file(file).read(0, page++));
  await expect(reading).rejects.toThrow('was waited for');
  expect(rounds).toHaveLength(64);
});
