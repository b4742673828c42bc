import { describe, expect, test } from 'vitest';
import { listPassedEvents } from './name-events.ts';

const rules = { graceBlocks: 8, premiumBlocks: 10 };
const life = (height: number, expiry: number | null, next?: number) =>
  listPassedEvents({ height, expiry }, next, rules).map(({ kind, height }) => `${kind} ${height}`);

describe('what becomes of a name', () => {
  test('without another operation is its whole end', () => {
    expect(life(100, 120)).toEqual(['expired 120', 'released 128', 'lapsed 138']);
  });

  test('is nothing while it is renewed before its expiry, and its expiry when it is renewed in that very block', () => {
    expect(life(100, 120, 119)).toEqual([]);
    expect(life(100, 120, 120)).toEqual(['expired 120']);
    expect(life(100, 120, 127)).toEqual(['expired 120']);
  });

  test('ends where it is registered anew, in the premium or after it', () => {
    expect(life(100, 120, 128)).toEqual(['expired 120', 'released 128']);
    expect(life(100, 120, 138)).toEqual(['expired 120', 'released 128', 'lapsed 138']);
  });

  test('is no second expiry where a renewal left it expired', () => {
    expect(life(126, 125)).toEqual(['released 133', 'lapsed 143']);
  });

  test('is nothing after what is no operation on a name', () => {
    expect(life(100, null)).toEqual([]);
  });
});
