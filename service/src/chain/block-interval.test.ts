import { expect, test } from 'vitest';
import { measureBlockInterval } from './block-interval.ts';
import type { BlockRecord, ChainView } from './chain-view.ts';

const AIM = 150;

/** A chain whose block at a height has the time that is said. */
function chainOf(height: number, timeAt: (height: number) => number) {
  const blockAt = (at: number) => ({ height: at, time: timeAt(at) }) as BlockRecord;
  const read: number[] = [];
  const findBlockAt = async (at: number) => {
    read.push(at);
    return at < 0 ? undefined : blockAt(at);
  };
  return { view: { findBlockAt } as ChainView, tip: blockAt(height), read };
}

test('is the mean of the latest 2,016 blocks, or of 144 while there are no more', async () => {
  const timeAt = (height: number) => (height < 4_900 ? height * 60 : 4_900 * 60 + (height - 4_900) * 90);
  const long = chainOf(5_000, timeAt);
  expect(await measureBlockInterval(long.view, long.tip, AIM)).toBe((1_916 * 60 + 100 * 90) / 2_016);
  const short = chainOf(2_000, timeAt);
  expect(await measureBlockInterval(short.view, short.tip, AIM)).toBe(60);
});

test('is what the coin aims at while fewer blocks are known, and where times run backwards', async () => {
  const young = chainOf(143, (height) => height * 10);
  expect(await measureBlockInterval(young.view, young.tip, AIM)).toBe(AIM);
  expect(young.read).toEqual([]);
  const backwards = chainOf(5_000, (height) => -height);
  expect(await measureBlockInterval(backwards.view, backwards.tip, AIM)).toBe(AIM);
});

test('is measured once for a tip, and anew after a failure', async () => {
  const { view, tip, read } = chainOf(5_000, (height) => height * 60);
  const failing = { findBlockAt: () => Promise.reject(new Error('away')) } as unknown as ChainView;
  await expect(measureBlockInterval(failing, tip, AIM)).rejects.toThrow('away');
  await Promise.all([1, 2, 3].map(() => measureBlockInterval(view, tip, AIM)));
  expect(read).toEqual([2_984]);
});
