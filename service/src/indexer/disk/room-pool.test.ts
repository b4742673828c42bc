import { expect, test } from 'vitest';
import { createRoomPool } from './room-pool.ts';

test('a room that was given back is used again, one that is in use is not', () => {
  const pool = createRoomPool(16, 2);
  const [first, second] = [pool.take(), pool.take()];
  expect(first).toHaveLength(16);
  expect(second).not.toBe(first);
  pool.giveBack(first);
  expect(pool.take()).toBe(first);
  expect(pool.take()).not.toBe(first);
});

test('no more wait than are to be held', () => {
  const pool = createRoomPool(16, 1);
  const [first, second] = [pool.take(), pool.take()];
  pool.giveBack(first);
  pool.giveBack(second);
  expect(pool.take()).toBe(first);
  expect(pool.take()).not.toBe(second);
});
