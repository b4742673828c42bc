import { expect, test } from 'vitest';
import { findMempoolPlace } from './mempool-place.ts';

const steps = [
  { rate: 10, below: 50, vsize: 600_000, txs: 3 },
  { rate: 5, below: 7, vsize: 700_000, txs: 3 },
  { rate: 1, below: 5, vsize: 400_000, txs: 3 },
];

test.each([
  ['pays most', 12, [{ rate: 12, vsize: 100_000 }], { least: 0, most: 500_000, block: 1 }],
  [
    'stands on the border of two blocks',
    5,
    [{ rate: 5, vsize: 1_000 }],
    { least: 600_000, most: 1_299_000, block: 2 },
  ],
  ['is in a step of its own', 8, [{ rate: 3, vsize: 500 }], { least: 600_000, most: 600_000, block: 1 }],
  ['pays least', 1, [{ rate: 1.5, vsize: 400_000 }], { least: 1_300_000, most: 1_300_000, block: 2 }],
  [
    'is pulled up by its child, which is not ahead of it',
    11,
    [
      { rate: 1, vsize: 1_000 },
      { rate: 21, vsize: 1_000 },
    ],
    { least: 0, most: 599_000, block: 1 },
  ],
  [
    'has to wait for its parent',
    1,
    [{ rate: 20, vsize: 1_000 }],
    { least: 1_299_000, most: 1_699_000, block: 2 },
  ],
])('what waits in front of one that %s', (_, rate, own, place) => {
  expect(findMempoolPlace(steps, rate, own)).toEqual(place);
});

test('nothing waits in front of one that is alone, or pays less than any step', () => {
  const own = [{ rate: 1, vsize: 200 }];
  expect(findMempoolPlace([], 1, own)).toEqual({ least: 0, most: 0, block: 1 });
  const one = [{ rate: 5, below: 7, vsize: 300, txs: 1 }];
  expect(findMempoolPlace(one, 1, own)).toEqual({ least: 300, most: 300, block: 1 });
});
