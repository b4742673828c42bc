/** The mempool over time: which moments are kept, and how they become points. */

import type { HistoryRange, MempoolHistoryJson } from '@coinfront/api/mempool-history.ts';
import { FEE_BANDS, feeBandOf } from '@coinfront/protocol/mempool-blocks.ts';
import type { MempoolSample } from './sample-store.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lengths of the steps of which one moment each is kept, and how many of them: a day, a week, a year. */
export const sampleSteps = [
  { seconds: MINUTE, kept: DAY / MINUTE },
  { seconds: 10 * MINUTE, kept: (7 * DAY) / (10 * MINUTE) },
  { seconds: HOUR, kept: (365 * DAY) / HOUR },
] as const;

type RangePlan = { kept: (typeof sampleSteps)[number]['seconds']; step: number; seconds: number };

/** Of each range: the kept steps that it is made of, the steps of its points, and how long it is. */
const plans: Readonly<Record<HistoryRange, RangePlan>> = {
  day: { kept: MINUTE, step: MINUTE, seconds: DAY },
  week: { kept: 10 * MINUTE, step: 10 * MINUTE, seconds: 7 * DAY },
  month: { kept: HOUR, step: HOUR, seconds: 30 * DAY },
  year: { kept: HOUR, step: 6 * HOUR, seconds: 365 * DAY },
};

/** Which samples a range is made of, and between which moments its points are. */
export type HistoryPlan = { range: HistoryRange; kept: number; step: number; from: number; to: number };

/** Plans a range that ends now; moments are Unix seconds. */
export function planHistory(range: HistoryRange, nowS: number): HistoryPlan {
  const { kept, step, seconds } = plans[range];
  const last = nowS - (nowS % step);
  return { range, kept, step, from: last - seconds + step, to: last + step };
}

/** The points of a range: the mean of what was seen in each step. A step in which nothing was seen has none. */
export function describeHistory(
  { range, step, from, to }: HistoryPlan,
  samples: readonly MempoolSample[],
): MempoolHistoryJson {
  const bandOf = rememberBands();
  const bySteps = Map.groupBy(samples, ({ at }) => at - (at % step));
  return {
    range,
    step_seconds: step,
    from: formatS(from),
    to: formatS(to),
    per_vb: FEE_BANDS.map((bound) => bound.toFixed(3)),
    points: [...bySteps].map(([at, seen]) => ({
      time: formatS(at),
      tx_count: meanOf(seen.map(({ txs }) => txs)),
      vsizes: sumBands(seen, bandOf).map((sum) => Math.round(sum / seen.length)),
    })),
  };
}

/** Virtual bytes of each band, of some samples together. */
function sumBands(samples: readonly MempoolSample[], bandOf: (milliPerVb: number) => number): number[] {
  const sums = FEE_BANDS.map(() => 0);
  for (const { rates } of samples) {
    for (const [milliPerVb, vsize] of rates) sums[bandOf(milliPerVb)]! += vsize;
  }
  return sums;
}

/** Samples are of the same few rates: their bands are looked up once. A year of them takes 5 ms by that, not 140. */
function rememberBands(): (milliPerVb: number) => number {
  const bands = new Map<number, number>();
  return (milliPerVb) => {
    let band = bands.get(milliPerVb);
    if (band === undefined) {
      band = feeBandOf(milliPerVb / 1_000);
      bands.set(milliPerVb, band);
    }
    return band;
  };
}

function meanOf(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function formatS(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
