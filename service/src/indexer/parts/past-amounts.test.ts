import { expect, test } from 'vitest';
import { createPastAmounts } from './past-amounts.ts';

/** More than there is room for at the beginning. */
const ROWS = 5_000;

test('rows come out by their first number, each with what it was changed to last', () => {
  const past = createPastAmounts();
  const places = Array.from({ length: ROWS }, (_, i) =>
    past.add((i * 7_919) % ROWS, 2 ** 40 + i, i, BigInt(i)),
  );
  past.change(places[3]!, -(2n ** 63n));
  expect(past.count).toBe(ROWS);
  const [firsts, seconds, heights, amounts] = past.take().map((column) => Array.from(column));
  expect(firsts).toEqual(Array.from({ length: ROWS }, (_, i) => i));
  for (let row = 0; row < ROWS; row++) {
    const i = heights![row] as number;
    expect((i * 7_919) % ROWS).toBe(row);
    expect(seconds![row]).toBe(2 ** 40 + i);
    expect(amounts![row]).toBe(i === 3 ? -(2n ** 63n) : BigInt(i));
  }
});

test('what was taken or forgotten does not come again', () => {
  const past = createPastAmounts();
  past.add(1, 2, 3, 4n);
  past.take();
  expect(past.take().map(({ length }) => length)).toEqual([0, 0, 0, 0]);
  past.add(5, 6, 7, 8n);
  past.clear();
  expect(past.count).toBe(0);
  past.add(9, 10, 11, 12n);
  expect(past.take().map((column) => Array.from(column))).toEqual([[9], [10], [11], [12n]]);
});
