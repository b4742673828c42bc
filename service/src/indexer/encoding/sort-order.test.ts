import { expect, test } from 'vitest';
import { sortRows } from './sort-order.ts';

test('rows come in the order of several columns of numbers, and equal ones stay as they were', () => {
  const first = [5, 1, 5, 1, 5, 0];
  const second = [2, 9, 1, 9, 2, 7];
  const text = ['a', 'b', 'c', 'd', 'e', 'f'];
  const columns: (number | string)[][] = [first, second, text];
  expect(sortRows(columns, [1, 0])).toEqual([
    [0, 1, 1, 5, 5, 5],
    [7, 9, 9, 1, 2, 2],
    ['f', 'b', 'd', 'c', 'a', 'e'],
  ]);
  expect(sortRows(columns, [0])[2]).toEqual(['f', 'b', 'd', 'a', 'c', 'e']);
});

test('rows that are in order, and no rows, are given back as they are', () => {
  const columns = [
    [1, 1, 2],
    [3, 4, 4],
  ];
  expect(sortRows(columns, [1, 0])).toBe(columns);
  expect(sortRows([[], []], [1, 0])).toEqual([[], []]);
});
