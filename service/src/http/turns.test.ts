import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('one of those who wait goes on at a time, the longest waiting first, and the event loop turns between', async () => {
  const takeTurn = createTurns();
  const went: string[] = [];
  const work = async (name: string, slices: number): Promise<void> => {
    for (let i = 0; i < slices; i++) {
      await takeTurn();
      went.push(name);
    }
  };
  let turns = 0;
  const all = Promise.all([work('a', 3), work('b', 2), work('c', 1)]).then(() => 'done');
  while ((await Promise.race([all, setImmediate('turn')])) === 'turn') {
    turns += 1;
    expect(went.length).toBeLessThanOrEqual(1 + turns / 4);
  }
  expect(went).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

test('who comes when nobody waits goes on after a pause, too', async () => {
  const takeTurn = createTurns();
  await takeTurn();
  let turns = 0;
  const next = takeTurn().then(() => 'done');
  while ((await Promise.race([next, setImmediate('turn')])) === 'turn') turns += 1;
  expect(turns).toBeGreaterThanOrEqual(3);
});
