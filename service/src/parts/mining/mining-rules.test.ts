import { describe, expect, test } from 'vitest';
import {
  chancePerDay,
  chooseHashrate,
  estimateShare,
  expectSeconds,
  findEffort,
  findLuck,
  judgeFreshness,
  orderMiners,
  staleAfterMs,
} from './mining-rules.ts';
import { parseSuffixedHashrate, readHashrate, shortenAddress } from './source-values.ts';
import { isSplitKept, partsPerMillion } from './split-rules.ts';

const policy = { minerPercent: 99, operatorPercent: 1 };

describe('figures of a pool', () => {
  test.each([
    ['0', 0n],
    ['617', 617_000n],
    ['1.2T', 1_200_000_000_000_000n],
    ['1.23G', 1_230_000_000_000n],
    ['52.8M', 52_800_000_000n],
    ['3K', 3_000_000n],
    ['0.0005', 0n],
    ['0.001', 1n],
    ['7P', 7_000_000_000_000_000_000n],
    ['4.5E', 4_500_000_000_000_000_000_000n],
    ['1Z', 1_000_000_000_000_000_000_000_000n],
  ])('a hashrate of %s is read exactly', (text, milli) => {
    expect(parseSuffixedHashrate(text)).toBe(milli);
  });

  test.each([
    '',
    'T',
    '-1T',
    '1.T',
    '.5T',
    '1,2T',
    '1.2t',
    '1e3',
    ' 1T',
    '1TT',
    '9'.repeat(40),
    // Above every hashrate: no figure for sums and shares.
    `${'9'.repeat(21)}Z`,
    `${'9'.repeat(21)}E`,
    null,
    5,
    {},
    ['1T'],
  ])('a hashrate of %j is unknown, not 0', (value) => {
    expect(parseSuffixedHashrate(value)).toBeUndefined();
  });

  test('a hashrate as a number is known when it is one from 0 on', () => {
    expect(readHashrate(12.5)).toBe(12_500n);
    expect(readHashrate('12.5')).toBe(12_500n);
    for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e31, null, true, '', '1e9'])
      expect(readHashrate(value)).toBeUndefined();
  });

  test('effort is share difficulty over network difficulty, or what the source says', () => {
    expect(findEffort({ effort: undefined, shareDifficulty: 50 }, 200)).toBe(0.25);
    expect(findEffort({ effort: 1.5, shareDifficulty: 50 }, 200)).toBe(1.5);
    expect(findEffort({ effort: undefined, shareDifficulty: 0 }, 200)).toBe(0);
    expect(findEffort({ effort: undefined, shareDifficulty: undefined }, 200)).toBeUndefined();
    expect(findEffort({ effort: undefined, shareDifficulty: 50 }, 0)).toBeUndefined();
  });

  test('luck is the reciprocal of effort; of none it is unknown', () => {
    expect(findLuck(0.5)).toBe(2);
    expect(findLuck(2)).toBe(0.5);
    expect(findLuck(0)).toBeUndefined();
    expect(findLuck(undefined)).toBeUndefined();
  });

  test('the wait for a block is its work over the hashrate, and the chance of a day is that of a Poisson process', () => {
    expect(expectSeconds(86_400n * 1_000n, 1_000_000n)).toBe(86_400);
    expect(chancePerDay(86_400)).toBeCloseTo(1 - Math.exp(-1), 12);
    expect(chancePerDay(864_000)).toBeCloseTo(0.09516258196404048, 12);
    expect(chancePerDay(1e15)).toBeCloseTo(8.64e-11, 20);
    expect(chancePerDay(0.001)).toBe(1);
  });

  test('at a hashrate of 0 or an unknown one no wait is known', () => {
    expect(expectSeconds(1000n, 0n)).toBeUndefined();
    expect(expectSeconds(1000n, undefined)).toBeUndefined();
    expect(chancePerDay(undefined)).toBeUndefined();
    expect(estimateShare(undefined, 5n)).toBeUndefined();
    expect(estimateShare(5n, undefined)).toBeUndefined();
    expect(estimateShare(5n, 0n)).toBeUndefined();
    expect(estimateShare(1n, 4n)).toBe(0.25);
  });

  test('an hour is preferred, and what is unknown is not chosen', () => {
    const rate = (windowSeconds: number | undefined, milliHashesPerSecond: bigint | undefined) => ({
      windowSeconds,
      milliHashesPerSecond,
    });
    expect(chooseHashrate([rate(60, 1n), rate(3600, 2n), rate(86_400, 3n)])).toEqual(rate(3600, 2n));
    expect(chooseHashrate([rate(60, 1n), rate(3600, undefined)])).toEqual(rate(60, 1n));
    expect(chooseHashrate([rate(undefined, 5n)])).toEqual(rate(undefined, 5n));
    expect(chooseHashrate([rate(60, undefined)])).toBeUndefined();
  });

  test('miners come highest hashrate first, unknown ones last, equal ones by address', () => {
    const miner = (address: string, milliHashesPerSecond: bigint | undefined) => ({
      key: address,
      address,
      hashrates: [{ windowSeconds: 3600, milliHashesPerSecond }],
      workers: undefined,
      bestShare: undefined,
      lastShareAtMs: undefined,
    });
    const sorted = orderMiners([
      miner('d', undefined),
      miner('c', 1n),
      miner('b', 1n),
      miner('a', 0n),
      miner('e', 9n),
    ]);
    expect(sorted.map(({ address }) => address)).toEqual(['e', 'b', 'c', 'a', 'd']);
  });

  test('a source is stale when it fails, is never read, or says nothing new; its clock makes it no fresher', () => {
    const reading = (writtenAtMs: number | undefined) => ({ writtenAtMs, readAtMs: 1_000_000 });
    const judge = (writtenAtMs: number | undefined, failed: boolean, nowMs: number) =>
      judgeFreshness({ reading: reading(writtenAtMs), failed }, nowMs);
    expect(judgeFreshness({ reading: undefined, failed: false }, 0)).toEqual({
      observedAtMs: undefined,
      stale: true,
    });
    expect(judge(undefined, false, 1_000_000)).toEqual({ observedAtMs: 1_000_000, stale: false });
    expect(judge(990_000, false, 1_000_000)).toEqual({ observedAtMs: 990_000, stale: false });
    expect(judge(990_000, true, 1_000_000).stale).toBe(true);
    expect(judge(1_000_000 - staleAfterMs - 1, false, 1_000_000).stale).toBe(true);
    expect(judge(9_000_000, false, 1_000_001 + staleAfterMs)).toEqual({
      observedAtMs: 1_000_000,
      stale: true,
    });
  });

  test('of a long address both ends are shown', () => {
    expect(shortenAddress('rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k')).toBe('rltc1qw5…c5xw7k');
    expect(shortenAddress('worker1')).toBe('worker1');
  });
});

describe('the split of a coinbase', () => {
  test.each([
    [9_900n, 100n, true],
    [9_901n, 99n, true],
    [9_899n, 101n, true],
    [9_902n, 98n, false],
    [9_898n, 102n, false],
    [0n, 10_000n, false],
    [10_000n, 0n, false],
  ])('%i to the miner and %i to the operator: kept is %s', (miner, operator, kept) => {
    expect(isSplitKept({ total: 10_000n, miner, operator }, policy, 10_000n)).toBe(kept);
  });

  test('is kept by either rounding of a total that does not divide', () => {
    for (const [miner, operator] of [
      [49n, 1n],
      [50n, 0n],
    ] as const)
      expect(isSplitKept({ total: 50n, miner, operator }, policy, 50n)).toBe(true);
  });

  test('is not kept when a part is burnt', () => {
    expect(isSplitKept({ total: 10_000n, miner: 9_800n, operator: 100n }, policy, 10_000n)).toBe(false);
  });

  test('is not kept when the coinbase claims less than the subsidy, for the miner lacks what nobody gets', () => {
    const split = { total: 10_000n, miner: 9_900n, operator: 100n };
    expect(isSplitKept(split, policy, 10_001n)).toBe(false);
    expect(isSplitKept(split, policy, 9_000n)).toBe(true);
    expect(isSplitKept(split, policy, undefined)).toBe(true);
  });

  test('parts per million are rounded down, and unknown of nothing', () => {
    expect(partsPerMillion(99n, 100n)).toBe(990_000);
    expect(partsPerMillion(1n, 3n)).toBe(333_333);
    expect(partsPerMillion(0n, 0n)).toBeUndefined();
  });
});
