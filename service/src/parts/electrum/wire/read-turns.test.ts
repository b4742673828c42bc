import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReadTurns } from './read-turns.ts';

/** A clock that only work moves. */
function createWork() {
  const clock = { nowMs: 0 };
  const done: string[] = [];
  const work = (name: string, ms: number) => (): void => {
    clock.nowMs += ms;
    done.push(name);
  };
  return { enter: createReadTurns(() => clock.nowMs), done, work };
}

test('what comes in a turn is read at once, until the time of the turn is over; the rest in the order in which it came', async () => {
  const { enter, done, work } = createWork();
  const isRead = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => enter(work(name, 3)));
  expect(isRead).toEqual([true, true, false, false, false, false]);
  expect(done).toEqual(['a', 'b']);
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c', 'd']);
  expect(enter(work('later', 0))).toBe(false);
  await nextTurn();
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'later']);
});

test('once nothing waits it is read at once again', async () => {
  const { enter, done, work } = createWork();
  for (const name of ['a', 'b']) enter(work(name, 5));
  await nextTurn();
  await nextTurn();
  expect(enter(work('c', 5))).toBe(true);
  expect(done).toEqual(['a', 'b', 'c']);
});
