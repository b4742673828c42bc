import { expect, test } from 'vitest';
import { findFirstNumber } from './find-first-number.ts';
import { pickEvenly } from './series-span.ts';

test.each([
  [0, 9, 10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [0, 9, 5, [1, 3, 5, 7, 9]],
  [3, 9, 3, [3, 6, 9]],
  [5, 5, 500, [5]],
  [6, 5, 500, []],
  [0, 9, 0, []],
  [0, 1_000_000, 1, [1_000_000]],
])('of %i to %i at most %i are picked, the last one among them', (first, last, most, picked) => {
  expect(pickEvenly(first, last, most)).toEqual(picked);
});

test('never more are picked than were asked for', () => {
  for (let last = 0; last < 300; last += 1)
    for (const most of [1, 2, 7, 100]) expect(pickEvenly(0, last, most).length).toBeLessThanOrEqual(most);
});

test('the first number that something is true of is found by few looks', async () => {
  for (const first of [0, 1, 499_999, 1_000_000]) {
    let looks = 0;
    const found = await findFirstNumber(0, 1_000_000, async (number) => {
      looks += 1;
      return number >= first;
    });
    expect(found).toBe(first);
    expect(looks).toBeLessThanOrEqual(20);
  }
});
