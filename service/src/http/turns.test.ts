import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('one of those who wait goes on in each turn of the event loop, the longest waiting first', async () => {
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
    expect(went.length).toBeLessThanOrEqual(turns + 1);
  }
  expect(went).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

test('who comes when nobody waits goes on in the next turn', async () => {
  const takeTurn = createTurns();
  await takeTurn();
  let went = false;
  const next = takeTurn().then(() => {
    went = true;
  });
  expect(went).toBe(false);
  await next;
  expect(went).toBe(true);
});
