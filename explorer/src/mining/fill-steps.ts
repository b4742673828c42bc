import type { HashrateSeriesJson } from '@coinfront/api/mining-history.ts';

/** Hashrates step by step, from the first that is known: a step without a point is null, so that a line has a gap there. */
export function fillSteps({ points, step_seconds: step, to }: HashrateSeriesJson): {
  times: string[];
  values: (number | null)[];
} {
  const known = new Map(points.map(({ time, hashes_per_second: rate }) => [Date.parse(time), Number(rate)]));
  const times: string[] = [];
  const values: (number | null)[] = [];
  const first = points[0] === undefined ? Number.POSITIVE_INFINITY : Date.parse(points[0].time);
  const last = Math.min(Date.parse(to), first + MAX_STEPS * step * 1_000);
  for (let at = first; at < last; at += step * 1_000) {
    times.push(new Date(at).toISOString());
    values.push(known.get(at) ?? null);
  }
  // What is under way may not have been observed yet.
  if (values.length > 1 && values.at(-1) === null) {
    times.pop();
    values.pop();
  }
  return { times, values };
}

/** More than the service gives. */
const MAX_STEPS = 1_000;

/** The points as CSV (RFC 4180), as the service gave them. */
export function writeHashrateCsv({ points }: Pick<HashrateSeriesJson, 'points'>): string {
  const lines = points.map(({ time, hashes_per_second: rate }) => `${time},${rate}`);
  return `${['time,hashes_per_second', ...lines].join('\r\n')}\r\n`;
}
