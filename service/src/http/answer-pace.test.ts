import { describe, expect, test } from 'vitest';
import { createPatience, leastPace } from './answer-pace.ts';

/** Milliseconds that a client needs for a piece of an answer. */
const takes = (bytesPerSecond: number) => (leastPace.bytes / bytesPerSecond) * 1_000;

/** Whether a client that needs so long for each piece, one after the other, gets them all. */
function getsAll(times: readonly number[]): boolean {
  const patience = createPatience();
  return times.every((ms) => {
    if (ms >= patience.leftMs()) return false;
    patience.read(ms);
    return true;
  });
}

describe('a large answer', () => {
  test('is read to its end over a slow phone line', () => {
    expect(getsAll(new Array(10_000).fill(takes(20_000)))).toBe(true);
  });

  test('is read to its end over a line that stands still for 40 seconds now and then', () => {
    const minute = [40_000, ...new Array(12).fill(takes(20_000))];
    expect(getsAll(new Array(100).fill(minute).flat())).toBe(true);
  });

  test('is read to its end at just the least speed, and not at half of it', () => {
    expect(getsAll(new Array(10_000).fill(leastPace.ms))).toBe(true);
    expect(getsAll(new Array(10).fill(2 * leastPace.ms))).toBe(false);
  });

  test('does not wait for a client that saved up time', () => {
    expect(getsAll([...new Array(10_000).fill(1), 60_000])).toBe(false);
  });
});
