import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveBackStart } from './give-back-start.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('what a start has left is collected when the index is still catching up after a while', async () => {
  const left = new WeakRef({ module: 'loaded' });
  giveBackStart(() => true);
  // A weak reference keeps what it names until the end of the turn in which it was made.
  await new Promise((resolve) => process.nextTick(resolve));
  await vi.advanceTimersByTimeAsync(60_000);

  expect(left.deref()).toBeUndefined();
});
