import { expect, test } from 'vitest';
import { findPackages as findWithMembers, type LinkedTx } from './package-rates.ts';

/** Fee and weight of the package of each. */
const findPackages = (txs: readonly LinkedTx[]) =>
  findWithMembers(txs).map(({ fee, weight }) => ({ fee, weight }));

const tx = (fee: bigint, parents: number[] = [], weight = 400): LinkedTx => ({ fee, weight, parents });

test('one that hangs on nothing pays for itself', () => {
  expect(findPackages([])).toEqual([]);
  expect(findPackages([tx(100n)])).toEqual([{ fee: 100n, weight: 400 }]);
});

test('a child that pays more is mined with its parent, and both have the rate of the two', () => {
  const both = { fee: 600n, weight: 800 };
  const family = [tx(100n), tx(500n, [0])];
  expect(findPackages(family)).toEqual([both, both]);
  expect(findWithMembers(family).map(({ members }) => members)).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

test('a child that pays less is mined after its parent', () => {
  expect(findPackages([tx(500n), tx(100n, [0])])).toEqual([
    { fee: 500n, weight: 400 },
    { fee: 100n, weight: 400 },
  ]);
});

test('one child pulls the parent, and the other has to pay for itself only', () => {
  const pulled = { fee: 1_000n, weight: 800 };
  expect(findPackages([tx(100n), tx(900n, [0]), tx(300n, [0])])).toEqual([
    pulled,
    pulled,
    { fee: 300n, weight: 400 },
  ]);
});

test('of several parents those that pay more go first, and the child pulls the rest', () => {
  const pulled = { fee: 410n, weight: 800 };
  expect(findPackages([tx(800n), tx(10n), tx(400n, [0, 1])])).toEqual([
    { fee: 800n, weight: 400 },
    pulled,
    pulled,
  ]);
});

test('a diamond is counted once', () => {
  const all = { fee: 1_030n, weight: 1_600 };
  expect(findPackages([tx(10n), tx(10n, [0]), tx(10n, [0]), tx(1_000n, [1, 2])])).toEqual([
    all,
    all,
    all,
    all,
  ]);
});

test('a hundred in a row are told apart', () => {
  const chain = Array.from({ length: 100 }, (_, i) => tx(BigInt(1_000 - i), i === 0 ? [] : [i - 1]));
  expect(findPackages(chain)).toEqual(chain.map(({ fee, weight }) => ({ fee, weight })));
});
