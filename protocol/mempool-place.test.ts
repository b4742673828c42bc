import { expect, test } from 'vitest';
import { findMempoolPlace } from './mempool-place.ts';

const steps = [
  { rate: 10, vsize: 600_000, txs: 3 },
  { rate: 5, vsize: 700_000, txs: 3 },
  { rate: 1, vsize: 400_000, txs: 3 },
];

test.each([
  ['pays most', { rate: 12, ownRate: 12, vsize: 100_000 }, { least: 0, most: 500_000, block: 1 }],
  [
    'stands on the border of two blocks',
    { rate: 5, ownRate: 5, vsize: 1_000 },
    { least: 600_000, most: 1_299_000, block: 2 },
  ],
  ['pays least', { rate: 1, ownRate: 1.5, vsize: 400_000 }, { least: 1_300_000, most: 1_300_000, block: 2 }],
  [
    'is pulled up by its child',
    { rate: 11, ownRate: 1, vsize: 1_000 },
    { least: 0, most: 600_000, block: 1 },
  ],
  [
    'has to wait for its parent',
    { rate: 1, ownRate: 20, vsize: 1_000 },
    { least: 1_299_000, most: 1_699_000, block: 2 },
  ],
])('what waits in front of one that %s', (_, tx, place) => {
  expect(findMempoolPlace(steps, tx)).toEqual(place);
});

test('nothing waits in front of one that is alone, or pays less than any step', () => {
  expect(findMempoolPlace([], { rate: 1, ownRate: 1, vsize: 200 })).toEqual({ least: 0, most: 0, block: 1 });
  const one = [{ rate: 5, vsize: 300, txs: 1 }];
  expect(findMempoolPlace(one, { rate: 1, ownRate: 1, vsize: 200 })).toEqual({
    least: 300,
    most: 300,
    block: 1,
  });
});
