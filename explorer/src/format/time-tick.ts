/** Ticks of axes of time, as dates and times are written where the reader is. */

import { findRegion, type Zone } from './time.ts';

const DAY_S = 86_400;

/** What a tick says, by how far apart ticks are. */
const kinds = {
  year: { year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  day: { day: 'numeric', month: 'short' },
  time: { hour: '2-digit', minute: '2-digit' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A tick of an axis: the year, the month, the day or the time. Midnight says the day that begins.
 *
 * @param timestampS Unix seconds
 * @param stepS seconds between two ticks
 */
export function formatTick(timestampS: number, stepS: number, zone: Zone): string {
  const date = new Date(timestampS * 1_000);
  return formatOf(kindOf(date, stepS, zone), zone).format(date);
}

function kindOf(date: Date, stepS: number, zone: Zone): keyof typeof kinds {
  if (stepS >= 365 * DAY_S) return 'year';
  if (stepS >= 28 * DAY_S) return 'month';
  if (stepS >= DAY_S) return 'day';
  const minutes = zone === 'utc' ? date.getTime() / 60_000 : date.getHours() * 60 + date.getMinutes();
  if (minutes % 1_440 === 0) return 'day';
  return stepS < 60 ? 'second' : 'time';
}

function formatOf(kind: keyof typeof kinds, zone: Zone): Intl.DateTimeFormat {
  const region = findRegion();
  const key = `${region} ${kind} ${zone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(region, {
    ...kinds[kind],
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  });
  formats.set(key, made);
  return made;
}
