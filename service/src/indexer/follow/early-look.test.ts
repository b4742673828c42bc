import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEarlyLook } from './early-look.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('is due at once when the node has had its rest, however often it is asked for', () => {
  const ring = vi.fn();
  const look = createEarlyLook(ring);
  for (let i = 0; i < 100; i++) look.ask();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledTimes(1);
});

test('waits for the rest after the last one', () => {
  const ring = vi.fn();
  const look = createEarlyLook(ring);
  look.began();
  look.ended(200);
  look.ask();
  vi.advanceTimersByTime(199);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(ring).toHaveBeenCalledTimes(1);
});

test('asked for during a look, which may have missed what is asked for, comes after it', () => {
  const ring = vi.fn();
  const look = createEarlyLook(ring);
  look.began();
  look.ask();
  vi.advanceTimersByTime(5_000);
  expect(ring).not.toHaveBeenCalled();
  look.ended(50);
  vi.advanceTimersByTime(51);
  expect(ring).toHaveBeenCalledTimes(1);
});

test('is not made when another one began meanwhile', () => {
  const ring = vi.fn();
  const look = createEarlyLook(ring);
  look.ask();
  look.began();
  look.ended(0);
  vi.advanceTimersByTime(5_000);
  expect(ring).not.toHaveBeenCalled();
});
