import { expect, test } from 'vitest';
import { createRanking, sharePpm } from './rank-balances.ts';

test('the richest are those of a plain sort, whatever the order in which they come', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed;
  };
  const all = Array.from({ length: 5_000 }, (_, i) => ({
    key: String(i).padStart(16, '0'),
    // Many are equal.
    balance: BigInt(random() % 900) ** 3n + 1n,
    coins: 1 + (i % 3),
  }));
  const ranking = createRanking(50);
  for (const { key, balance, coins } of all) ranking.add(key, balance, coins);
  const { richest, scripts, balance, bands } = ranking.finish();
  const sorted = all.toSorted((a, b) =>
    a.balance === b.balance ? (a.key < b.key ? -1 : 1) : a.balance > b.balance ? -1 : 1,
  );
  expect(richest).toEqual(sorted.slice(0, 50));
  expect(scripts).toBe(5_000);
  expect(balance).toBe(all.reduce((sum, each) => sum + each.balance, 0n));
  expect(bands.reduce((sum, band) => sum + band.scripts, 0)).toBe(5_000);
  for (const { digits, scripts: count } of bands)
    expect(count).toBe(all.filter((each) => String(each.balance).length === digits).length);
});

test('bands have no gaps, and nothing has none', () => {
  const ranking = createRanking();
  ranking.add('a', 9n, 1);
  ranking.add('b', 1_000n, 1);
  expect(ranking.finish().bands.map(({ digits, scripts }) => [digits, scripts])).toEqual([
    [1, 1],
    [2, 0],
    [3, 0],
    [4, 1],
  ]);
  expect(createRanking().finish()).toEqual({ scripts: 0, balance: 0n, bands: [], richest: [] });
});

test('shares are rounded down, and there is none of nothing', () => {
  expect(sharePpm(2n, 3n)).toBe(666_666);
  expect(sharePpm(0n, 0n)).toBe(0);
});
