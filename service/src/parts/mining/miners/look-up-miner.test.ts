import { expect, test } from 'vitest';
import { unknownMiner } from '../pool-source.ts';
import { createMinerLookup } from './look-up-miner.ts';

test('a pool is asked once for a miner in half a minute, also when it has no answer', async () => {
  let now = 0;
  const asked: string[] = [];
  const lookUp = createMinerLookup(
    {
      readMiner: async (key) => {
        asked.push(key);
        if (key === 'gone') throw new Error('404');
        return { ...unknownMiner, workers: asked.length };
      },
    },
    () => now,
  );
  expect(await lookUp('a')).toEqual({ detail: { ...unknownMiner, workers: 1 }, readAtMs: 0 });
  expect(await lookUp('a')).toMatchObject({ detail: { workers: 1 } });
  expect(await lookUp('gone')).toBeUndefined();
  expect(await lookUp('gone')).toBeUndefined();
  expect(asked).toEqual(['a', 'gone']);
  now = 30_000;
  expect(await lookUp('a')).toMatchObject({ detail: { workers: 3 }, readAtMs: 30_000 });
});

test('a pool is asked for a few miners at a time; who comes then is told nothing, and may ask again', async () => {
  const ends: (() => void)[] = [];
  const lookUp = createMinerLookup(
    { readMiner: () => new Promise((resolve) => ends.push(() => resolve(unknownMiner))) },
    () => 0,
  );
  const open = Array.from({ length: 8 }, (_, i) => lookUp(`m${i}`));
  expect(await lookUp('late')).toBeUndefined();
  for (const end of ends.splice(0)) end();
  expect((await Promise.all(open)).every((answer) => answer !== undefined)).toBe(true);
  const again = lookUp('late');
  ends[0]!();
  expect(await again).toBeDefined();
});
