import { expect, test } from 'vitest';
import { findRatesAt } from './block-fee-rates.ts';
import type { TxSummary } from './chain-view.ts';

const tx = (fee: bigint | undefined, weight: number) => ({ fee, weight }) as TxSummary;

test('rates are told by weight, not by number of transactions', () => {
  const txs = [tx(undefined, 900), tx(4_000n, 400), tx(100n, 400), tx(1_800n, 3_600)];
  const rates = findRatesAt(txs, [0, 0.05, 0.5, 0.95, 1]);
  expect(rates!.map(({ fee }) => fee)).toEqual([100n, 100n, 1_800n, 4_000n, 4_000n]);
});

test('one that pays nothing counts, a coinbase does not', () => {
  expect(findRatesAt([tx(undefined, 900)], [0, 1])).toBeUndefined();
  expect(findRatesAt([tx(undefined, 900), tx(0n, 400)], [0, 0.5, 1])!.map(({ fee }) => fee)).toEqual([
    0n,
    0n,
    0n,
  ]);
});
