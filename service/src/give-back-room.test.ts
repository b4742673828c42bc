import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveBackRoom } from './give-back-room.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Something that nobody holds any more. */
async function leave(): Promise<WeakRef<object>> {
  const left = new WeakRef({ module: 'loaded' });
  // A weak reference keeps what it names until the end of the turn in which it was made.
  await new Promise((resolve) => process.nextTick(resolve));
  return left;
}

test('what is left is collected when the index is seen catching up, and again after a while', async () => {
  let isCatchingUp = false;
  giveBackRoom(() => isCatchingUp, 0);
  // V8 may collect by itself at any time, so that what is gone proves something only where it is gone at once.
  await vi.advanceTimersByTimeAsync(60_000);
  const ofStart = await leave();
  isCatchingUp = true;
  await vi.advanceTimersByTimeAsync(8_000);
  expect(ofStart.deref()).toBeUndefined();

  const ofAnswers = await leave();
  await vi.advanceTimersByTimeAsync(6 * 60_000);
  expect(ofAnswers.deref()).toBeUndefined();
});
