import { expect, test } from 'vitest';
import type { DiskPace } from './disk-pace.ts';
import { readInSlices } from './read-in-slices.ts';

const items = Array.from({ length: 1_300 }, (_, i) => i);

function paceOf(isSlow: boolean, takesSample: () => boolean = () => false): DiskPace {
  return {
    isSlow,
    fetch: async () => {},
    takesSample,
    timed: (_, read) => read(),
    untimed: (read) => read(),
  };
}

test('reads all in their order, and touches nothing while the disk keeps up', async () => {
  const read: number[] = [];
  const touched: number[] = [];
  await readInSlices(
    paceOf(false),
    items,
    async (item) => void touched.push(item),
    (item) => read.push(item),
  );
  expect(read).toEqual(items);
  expect(touched).toEqual([]);
});

test('on a slow disk reads nothing before it was touched, but for samples', async () => {
  const events: string[] = [];
  let count = 0;
  await readInSlices(
    paceOf(true, () => ++count % 100 === 0),
    items,
    async (item) => {
      await Promise.resolve();
      events.push(`touched ${item}`);
    },
    (item) => events.push(`read ${item}`),
  );
  expect(events.filter((event) => event.startsWith('read'))).toEqual(items.map((item) => `read ${item}`));
  const untouched = items.filter(
    (item) => !events.slice(0, events.indexOf(`read ${item}`)).includes(`touched ${item}`),
  );
  expect(untouched).toEqual(items.filter((item) => (item + 1) % 100 === 0));
});
