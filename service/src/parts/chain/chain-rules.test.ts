import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlockRecord } from '../../chain/chain-view.ts';
import { measureWindow } from '../../chain/hashrate-rules.ts';
import { estimateFees } from './fee-rules.ts';
import { computeSupply, highestMatureHeight } from './supply-rules.ts';

describe('fee estimates', () => {
  const step = (feeRateMilliSatsPerVb: number, vsize: number) => ({ feeRateMilliSatsPerVb, vsize, txs: 1 });

  test("the node's own comes first", () => {
    const nodeRates = new Map([[6, 2500n]]);
    expect(estimateFees({ targets: [6], nodeRates, minimum: 1000n, histogram: [] })).toEqual([
      { targetBlocks: 6, ratePerKvb: 2500n, source: 'node' },
    ]);
  });

  test('without one, the rate that outbids what fills the blocks until then', () => {
    const histogram = [step(9000, 900_000), step(4000, 900_000), step(1000, 900_000)];
    expect(estimateFees({ targets: [1, 2, 3], nodeRates: new Map(), minimum: 1000n, histogram })).toEqual([
      { targetBlocks: 1, ratePerKvb: 4001n, source: 'mempool' },
      { targetBlocks: 2, ratePerKvb: 1001n, source: 'mempool' },
      { targetBlocks: 3, ratePerKvb: 1000n, source: 'minimum' },
    ]);
  });

  test("a guess from the mempool lies between the node's estimates for shorter and for longer waits", () => {
    const nodeRates = new Map([
      [2, 3000n],
      [6, 2500n],
    ]);
    const histogram = [step(9000, 3_500_000)];
    const empty = { targets: [1, 3, 12], nodeRates, minimum: 1000n, histogram: [] };
    expect(estimateFees(empty)).toEqual([
      { targetBlocks: 1, ratePerKvb: 3000n, source: 'node' },
      { targetBlocks: 3, ratePerKvb: 2500n, source: 'node' },
      { targetBlocks: 12, ratePerKvb: 2500n, source: 'node' },
    ]);
    expect(estimateFees({ ...empty, histogram })).toEqual([
      { targetBlocks: 1, ratePerKvb: 9001n, source: 'mempool' },
      { targetBlocks: 3, ratePerKvb: 3000n, source: 'node' },
      { targetBlocks: 12, ratePerKvb: 2500n, source: 'node' },
    ]);
  });

  test("a wait that the node has no estimate for costs what the node's longest does, not the minimum", () => {
    const nodeRates = new Map([
      [24, 20_000n],
      [144, 9_000n],
    ]);
    const targets = [144, 504, 1008];
    const rates = (more: readonly [number, bigint][]) =>
      estimateFees({
        targets,
        nodeRates: new Map([...nodeRates, ...more]),
        minimum: 1000n,
        histogram: [],
      }).map(({ ratePerKvb, source }) => [ratePerKvb, source]);
    expect(rates([])).toEqual(Array(3).fill([9_000n, 'node']));
    expect(rates([[504, 3_000n]])).toEqual([
      [9_000n, 'node'],
      [3_000n, 'node'],
      [3_000n, 'node'],
    ]);
  });

  test('waiting longer never costs more, and nothing is below the minimum', () => {
    const rates = fc.array(fc.tuple(fc.constantFrom(1, 2, 3, 6, 8), fc.bigInt(1n, 10_000n)));
    const steps = fc.array(fc.tuple(fc.nat(10_000), fc.nat(3_000_000)));
    fc.assert(
      fc.property(rates, steps, fc.bigInt(0n, 5_000n), (nodeRates, made, minimum) => {
        const histogram = made
          .map(([rate, vsize]) => step(rate, vsize))
          .sort((a, b) => b.feeRateMilliSatsPerVb - a.feeRateMilliSatsPerVb);
        const estimates = estimateFees({
          targets: [12, 1, 6, 2, 3],
          nodeRates: new Map(nodeRates),
          minimum,
          histogram,
        });
        expect(estimates.map(({ targetBlocks }) => targetBlocks)).toEqual([1, 2, 3, 6, 12]);
        estimates.forEach(({ ratePerKvb }, i) => {
          expect(ratePerKvb).toBeGreaterThanOrEqual(minimum);
          if (i > 0) expect(ratePerKvb).toBeLessThanOrEqual(estimates[i - 1]!.ratePerKvb);
        });
      }),
    );
  });
});

describe('hashrate', () => {
  const block = (time: number, chainwork: bigint) => ({ time, chainwork }) as BlockRecord;

  test('is the work gained over the time', () => {
    expect(measureWindow(10, block(7000, 900_000n), block(1000, 300_000n))).toEqual({
      blocks: 10,
      seconds: 6000,
      milliHashesPerSecond: 100_000n,
    });
  });

  test('is unknown, which is not 0, below genesis and where time stands still or runs backwards', () => {
    expect(measureWindow(10, block(5, 5n), undefined)).toMatchObject({
      seconds: undefined,
      milliHashesPerSecond: undefined,
    });
    expect(measureWindow(10, block(5, 9n), block(5, 1n))).toMatchObject({
      seconds: 0,
      milliHashesPerSecond: undefined,
    });
    expect(measureWindow(10, block(5, 9n), block(8, 1n))).toMatchObject({ milliHashesPerSecond: undefined });
  });
});

describe('supply', () => {
  test('a coinbase of height h can be spent from height h + maturity on', () => {
    expect(highestMatureHeight(98, 100)).toBeUndefined();
    expect(highestMatureHeight(99, 100)).toBe(0);
    expect(highestMatureHeight(199, 100)).toBe(100);
  });

  test('what is issued is matured or immature; what is matured circulates or is burned', () => {
    const sums = fc.bigInt(0n, 10n ** 16n);
    fc.assert(
      fc.property(sums, sums, sums, (immature, burned, circulating) => {
        const issued = immature + burned + circulating;
        const totals = { size: 0, weight: 0, txs: 0, outputs: 0, inputs: 0, utxos: 0, fees: 0n, rates: '' };
        const tip = { ...totals, issued, burned, coinbasePaid: issued, utxoValue: issued - burned };
        const mature = { ...tip, coinbasePaid: issued - immature };
        const supply = computeSupply(tip, mature);
        expect(supply).toEqual({ issued, immature, burned, circulating, matured: burned + circulating });
      }),
    );
  });
});
