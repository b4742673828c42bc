/** Hashrates over time: which steps are kept, for how long, and how they become points. */

import type { SeriesRange } from '@coinfront/api/chain-series.ts';
import { chooseHashrate } from '../mining-rules.ts';
import type { SourceHashrate } from '../pool-source.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps of one length: so many of them are kept together as a row, and so many rows at least. */
export type RateStep = { seconds: number; perRow: number; rows: number };

const hours: RateStep = { seconds: HOUR, perRow: 48, rows: 47 };
const days: RateStep = { seconds: DAY, perRow: 60, rows: 19 };

/**
 * Steps by whose hashrate it is, the shortest first; each longer one is a multiple of the one before, and the mean of its steps. They are kept for a day,
 * for 92 days and for three years, up to what completes a row.
 */
export const rateSteps: Readonly<Record<'pool' | 'miner', readonly RateStep[]>> = {
  pool: [{ seconds: MINUTE, perRow: 60, rows: 25 }, hours, days],
  miner: [{ seconds: 5 * MINUTE, perRow: 24, rows: 13 }, hours, days],
};

/** Miners of one pool whose history is kept at most. */
export const maxKeptMiners = 1_000;

const rangeSeconds: Readonly<Record<SeriesRange, number>> = {
  '1d': DAY,
  '3d': 3 * DAY,
  '1w': 7 * DAY,
  '1m': 30 * DAY,
  '3m': 90 * DAY,
  '6m': 180 * DAY,
  '1y': 365 * DAY,
  '3y': 3 * 365 * DAY,
  all: days.perRow * days.rows * DAY,
};

/** Windows by how well they stand for a step of some minutes; a source that does not say its window comes last but one. */
const preferredWindows = [300, 600, 900, 60, 3_600];

/** The hashrate that is kept of a moment. */
export function chooseSampled(hashrates: readonly SourceHashrate[]): bigint | undefined {
  for (const window of preferredWindows) {
    const found = hashrates.find(
      ({ windowSeconds, milliHashesPerSecond }) =>
        windowSeconds === window && milliHashesPerSecond !== undefined,
    );
    if (found) return found.milliHashesPerSecond;
  }
  return chooseHashrate(hashrates)?.milliHashesPerSecond;
}

/** Where a row begins, and the place in it, of a moment in Unix seconds. */
export function placeInRow({ seconds, perRow }: RateStep, atS: number): { start: number; index: number } {
  const start = atS - (atS % (seconds * perRow));
  return { start, index: Math.floor((atS - start) / seconds) };
}

const DIGITS = 5;

/** Values of a row as text: `mantissa` or `mantissa`e`zeros` of five digits, nothing for a step of which nothing is known. */
export function writeRow(values: readonly (bigint | undefined)[]): string {
  return values.map((value) => (value === undefined ? '' : writeRate(value))).join();
}

function writeRate(value: bigint): string {
  const text = String(value);
  const dropped = Math.max(0, text.length - DIGITS);
  const mantissa = text.slice(0, text.length - dropped);
  return dropped === 0 ? mantissa : `${mantissa}e${dropped}`;
}

/** The values of a row, by their places. */
export function readRow(text: string): (bigint | undefined)[] {
  return text.split(',').map((each) => {
    const [mantissa = '', zeros = '0'] = each.split('e');
    return mantissa === '' ? undefined : BigInt(mantissa) * 10n ** BigInt(zeros);
  });
}

/** The mean of those that are known; undefined of none. */
export function meanRate(values: readonly (bigint | undefined)[]): bigint | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0
    ? undefined
    : known.reduce((sum, value) => sum + value, 0n) / BigInt(known.length);
}

/** Which steps an answer is made of: `kept` ones, `perPoint` in a point, between two moments in Unix seconds. */
export type RatePlan = { kept: RateStep; pointSeconds: number; from: number; to: number };

/** Plans a range that ends with the step that is under way. */
export function planRates(
  whose: keyof typeof rateSteps,
  range: SeriesRange,
  most: number,
  nowS: number,
): RatePlan {
  const seconds = rangeSeconds[range];
  const [fine, hourly, daily] = rateSteps[whose] as [RateStep, RateStep, RateStep];
  const kept = seconds <= DAY ? fine : seconds <= 90 * DAY ? hourly : daily;
  // A multiple, so that each kept step is in one point.
  const pointSeconds = Math.max(1, Math.ceil(seconds / kept.seconds / most)) * kept.seconds;
  const to = nowS - (nowS % pointSeconds) + pointSeconds;
  const points = Math.min(most, Math.ceil(seconds / pointSeconds));
  return { kept, pointSeconds, from: Math.max(0, to - points * pointSeconds), to };
}

/** The points of a plan, oldest first: means of what is known. A stretch of which nothing is known has none. */
export function describeRates(
  { kept, pointSeconds, from, to }: RatePlan,
  rows: readonly { start: number; text: string }[],
): { atS: number; rate: bigint }[] {
  const byPoint = new Map<number, bigint[]>();
  for (const { start, text } of rows) {
    for (const [index, value] of readRow(text).entries()) {
      const at = start + index * kept.seconds;
      if (value === undefined || at < from || at >= to) continue;
      const point = at - (at % pointSeconds);
      byPoint.set(point, [...(byPoint.get(point) ?? []), value]);
    }
  }
  return [...byPoint].sort(([a], [b]) => a - b).map(([atS, values]) => ({ atS, rate: meanRate(values)! }));
}
