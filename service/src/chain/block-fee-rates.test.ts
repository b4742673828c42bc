import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addBlockRates,
  decodeRateTotals,
  emptyRateTotals,
  encodeRateTotals,
  findAtShares,
} from './block-fee-rates.ts';

test('rates are told by weight, not by number of transactions', () => {
  const fees = [4_000n, 100n, 1_800n];
  const found = findAtShares(fees, [400, 400, 3_600], [0, 0.05, 0.5, 0.95, 1]);
  expect(found!.map((i) => fees[i])).toEqual([100n, 100n, 1_800n, 4_000n, 4_000n]);
});

test('one that pays nothing counts; without any there is no rate', () => {
  expect(findAtShares([], [], [0, 1])).toBeUndefined();
  expect(findAtShares([0n], [400], [0, 0.5, 1])).toEqual([0, 0, 0]);
});

const blocks = fc.array(
  fc.array(fc.record({ fee: fc.bigInt(0n, 10n ** 17n), weight: fc.integer({ min: 240, max: 4_000_000 }) }), {
    maxLength: 40,
  }),
  { maxLength: 6 },
);
const rate = ({ fee, weight }: { fee: bigint; weight: number }) => (fee * 4_000n) / BigInt(weight);

test('at a share stands what a transaction pays that has no more than that share of the weight below it, and no less up to it', () => {
  fc.assert(
    fc.property(blocks, fc.double({ min: 0, max: 1, noNaN: true }), (lists, share) => {
      for (const txs of lists.filter(({ length }) => length > 0)) {
        const [i] = findAtShares(
          txs.map(({ fee }) => fee),
          txs.map(({ weight }) => weight),
          [share],
        )!;
        const weigh = (some: typeof txs) => some.reduce((sum, { weight }) => sum + weight, 0);
        // Rates above 2^40 are not told apart.
        const sorted = (tx: (typeof txs)[number]) => (rate(tx) < 2n ** 40n ? rate(tx) : 2n ** 40n);
        const found = sorted(txs[i!]!);
        expect(weigh(txs.filter((tx) => sorted(tx) < found))).toBeLessThanOrEqual(share * weigh(txs));
        expect(weigh(txs.filter((tx) => sorted(tx) <= found))).toBeGreaterThanOrEqual(share * weigh(txs));
      }
    }),
  );
});

test('totals are the sums over blocks that have something to tell, whatever they grow to', () => {
  fc.assert(
    fc.property(blocks, (lists) => {
      let totals = emptyRateTotals;
      const medians: bigint[] = [];
      for (const txs of lists) {
        const fees = txs.map(({ fee }) => fee);
        const weights = Uint32Array.from(txs, ({ weight }) => weight);
        totals = decodeRateTotals(encodeRateTotals(addBlockRates(totals, fees, weights)));
        const [i] = findAtShares(fees, weights, [0.5]) ?? [];
        if (i !== undefined) medians.push(rate(txs[i]!));
      }
      expect(totals.blocks).toBe(medians.length);
      expect(totals.sums[2]).toBe(medians.reduce((sum, each) => sum + each, 0n));
    }),
  );
});
