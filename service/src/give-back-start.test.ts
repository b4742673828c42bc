import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveBackStart } from './give-back-start.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('what a start has left is collected once, and not before the index is seen catching up', async () => {
  let isCatchingUp = false;
  giveBackStart(() => isCatchingUp);
  await vi.advanceTimersByTimeAsync(60_000);
  // It still looks: V8 may collect by itself at any time, so that what is gone would prove nothing here.
  expect(vi.getTimerCount()).toBe(1);

  const left = new WeakRef({ module: 'loaded' });
  // A weak reference keeps what it names until the end of the turn in which it was made.
  await new Promise((resolve) => process.nextTick(resolve));
  isCatchingUp = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(left.deref()).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
