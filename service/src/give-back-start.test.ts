import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveBackStart } from './give-back-start.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('what a start has left is collected once, and not before the index is seen catching up', async () => {
  const left = new WeakRef({ module: 'loaded' });
  let isCatchingUp = false;
  giveBackStart(() => isCatchingUp);
  // A weak reference keeps what it names until the end of the turn in which it was made, or was asked for it.
  const endTurn = () => new Promise((resolve) => process.nextTick(resolve));
  await endTurn();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(left.deref() === undefined).toBe(false);
  await endTurn();

  isCatchingUp = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(left.deref()).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
