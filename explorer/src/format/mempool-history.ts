/** The mempool over time, as a chart of areas on each other needs it. */

import type { MempoolHistoryJson } from '@coinfront/api/mempool-history.ts';

/** Columns of a stacked chart. */
export type StackedSeries = {
  /** Unix seconds, ascending. */
  times: number[];
  /** Of each band, the cheapest first: virtual bytes of it and of all cheaper ones; null where nothing was observed. */
  tops: (number | null)[][];
};

/**
 * Stacks the bands of each point. A point stands for its whole step; between the end of one and a later beginning there is a gap, which says that
 * nothing is known.
 */
export function stackHistory({
  points,
  step_seconds: step,
  per_vb: bounds,
}: MempoolHistoryJson): StackedSeries {
  const times: number[] = [];
  const tops = bounds.map((): (number | null)[] => []);
  const push = (time: number, values: readonly (number | null)[]): void => {
    times.push(time);
    for (const [band, value] of values.entries()) tops[band]!.push(value);
  };
  const unknown = bounds.map(() => null);
  for (const [i, { time, vsizes }] of points.entries()) {
    const at = Date.parse(time) / 1_000;
    let sum = 0;
    const stacked = vsizes.map((vsize) => {
      sum += vsize;
      return sum;
    });
    push(at, stacked);
    const next = points[i + 1];
    if (next !== undefined && Date.parse(next.time) / 1_000 <= at + step) continue;
    // Not where the next point may be: each moment is there once.
    push(at + step - 1, stacked);
    push(at + step - 0.5, unknown);
  }
  return { times, tops };
}

/** The point of the step that a moment lies in; undefined where nothing was observed then. */
export function findPoint(
  { points, step_seconds: step }: MempoolHistoryJson,
  atS: number,
): MempoolHistoryJson['points'][number] | undefined {
  return points.findLast(({ time }) => {
    const from = Date.parse(time) / 1_000;
    return atS >= from && atS < from + step;
  });
}

/** All points as CSV (RFC 4180), one line each. */
export function writeHistoryCsv({ points, per_vb: bounds }: MempoolHistoryJson): string {
  const heading = ['time', 'tx_count', ...bounds.map((bound) => `vsize_from_${bound}_per_vb`)];
  const lines = points.map(({ time, tx_count: count, vsizes }) => [time, count, ...vsizes].join());
  return `${[heading.join(), ...lines].join('\r\n')}\r\n`;
}
