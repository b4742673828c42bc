import { describe, expect, test } from 'vitest';
import {
  chooseSampled,
  describeRates,
  placeInRow,
  planRates,
  rateSteps,
  readRow,
  writeRow,
} from './rate-rules.ts';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400] as const;
const noon = Date.UTC(2026, 2, 1, 12) / 1_000;

describe('hashrates over time', () => {
  test('a row has a value for each step, and nothing for one of which nothing is known', () => {
    const values = [0n, 12_345n, undefined, 400_000_000_000_000n, 10n ** 33n];
    expect(writeRow(values)).toBe('0,12345,,40000e10,10000e29');
    expect(readRow(writeRow(values))).toEqual(values);
    expect(readRow(writeRow([undefined]))).toEqual([undefined]);
    // Five digits are kept.
    expect(readRow(writeRow([1_234_567n]))).toEqual([1_234_500n]);
  });

  test('each longer step is whole steps of the shorter one, and all of these are in one row', () => {
    for (const steps of Object.values(rateSteps)) {
      for (const [i, longer] of steps.slice(1).entries()) {
        const shorter = steps[i]!;
        expect(longer.seconds % shorter.seconds).toBe(0);
        expect((shorter.seconds * shorter.perRow) % longer.seconds).toBe(0);
      }
    }
  });

  test('everything that a range may ask for is still kept', () => {
    for (const whose of ['pool', 'miner'] as const) {
      for (const range of ['1d', '3d', '1w', '1m', '3m', '6m', '1y', '3y', 'all'] as const) {
        const now = noon + 12_345;
        const { kept, from, to } = planRates(whose, range, 500, now);
        const oldestKept = placeInRow(kept, now).start - (kept.rows - 1) * kept.perRow * kept.seconds;
        expect(from, range).toBeGreaterThanOrEqual(oldestKept - kept.seconds * kept.perRow);
        expect(to).toBeGreaterThan(now);
      }
    }
  });

  test('a range has so many points at most, each of whole steps, the last one is under way', () => {
    expect(planRates('pool', '1d', 300, noon + 61)).toMatchObject({
      pointSeconds: 5 * MINUTE,
      to: noon + 300,
    });
    expect(planRates('miner', '1d', 300, noon)).toMatchObject({ pointSeconds: 5 * MINUTE });
    expect(planRates('pool', '1m', 500, noon)).toMatchObject({ pointSeconds: 2 * HOUR });
    expect(planRates('pool', '3y', 500, noon)).toMatchObject({ pointSeconds: 3 * DAY });
    const { pointSeconds, from, to } = planRates('pool', '1y', 2, noon);
    expect((to - from) / pointSeconds).toBe(2);
  });

  test('points are means of what is known; where nothing is known there is none', () => {
    const plan = { kept: rateSteps.pool[0]!, pointSeconds: 120, from: noon, to: noon + HOUR };
    const row = [10n, 20n, undefined, undefined, 40n];
    expect(describeRates(plan, [{ start: noon, text: writeRow(row) }])).toEqual([
      { atS: noon, rate: 15n },
      { atS: noon + 240, rate: 40n },
    ]);
    // What is before the range is not told.
    expect(
      describeRates({ ...plan, from: noon + 60 }, [{ start: noon, text: writeRow(row) }])[0],
    ).toMatchObject({ rate: 20n });
  });

  test('what is kept of a moment is of a window of minutes, or of what there is', () => {
    const rate = (windowSeconds: number | undefined, milliHashesPerSecond: bigint | undefined) => ({
      windowSeconds,
      milliHashesPerSecond,
    });
    expect(chooseSampled([rate(60, 1n), rate(300, 2n), rate(3_600, 3n)])).toBe(2n);
    expect(chooseSampled([rate(60, 1n), rate(300, undefined)])).toBe(1n);
    expect(chooseSampled([rate(86_400, 4n)])).toBe(4n);
    expect(chooseSampled([rate(undefined, 5n)])).toBe(5n);
    expect(chooseSampled([rate(300, undefined)])).toBeUndefined();
  });
});
