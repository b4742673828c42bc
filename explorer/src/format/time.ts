/** Moments as they are shown: how long ago, and the exact one beside it. */

import { language, nounFor, t } from '../language/messages.ts';
import { formatDecimal } from './number.ts';

/** How long a moment is ago, or how far ahead, in one unit. */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.round((nowMs - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return iso;
  if (seconds > -5 && seconds < 2) return t('now');
  const { formatRelative } = language;
  if (formatRelative !== undefined) {
    const { value, unit } = measure(Math.abs(seconds));
    return formatRelative(seconds < 0 ? value : -value, unit);
  }
  return seconds < 0 ? `in ${formatDuration(-seconds)}` : `${formatDuration(seconds)} ago`;
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';

/** A length of time in its largest unit. */
export function formatDuration(seconds: number): string {
  const { value, unit } = measure(seconds);
  const name =
    unit === 'second' ? 's' : unit === 'minute' ? 'min' : unit === 'hour' ? 'h' : nounFor(value, unit);
  return `${formatDecimal(String(value))} ${name}`;
}

function measure(seconds: number): { value: number; unit: Unit } {
  if (seconds < 90) return { value: Math.round(seconds), unit: 'second' };
  if (seconds < 90 * 60) return { value: Math.round(seconds / 60), unit: 'minute' };
  if (seconds < 36 * 3600) return { value: Math.round(seconds / 3600), unit: 'hour' };
  if (seconds < 60 * 86_400) return { value: Math.round(seconds / 86_400), unit: 'day' };
  if (seconds < 700 * 86_400) return { value: Math.round(seconds / (30.4 * 86_400)), unit: 'month' };
  return { value: Math.round((seconds / (365.25 * 86_400)) * 10) / 10, unit: 'year' };
}

/** Which clock a moment is told by. */
export type Zone = 'local' | 'utc';

/** The exact moment, with its zone; in the visitor's own as it is written there. */
export function formatExact(iso: string, zone: Zone): string {
  return zone === 'utc' ? formatUtc(iso) : formatLocal(iso, { dateStyle: 'medium', timeStyle: 'long' });
}

/** A moment to the minute, without its zone. */
export function formatDate(iso: string, zone: Zone): string {
  if (zone === 'local') return formatLocal(iso, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    language.formatUtc?.(new Date(iso), true) ?? iso.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatLocal(iso: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const key = `${language.id} ${options.timeStyle}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(findRegion(), options);
  formats.set(key, format);
  return format.format(date);
}

/** The language as it is written where the visitor is, as far as the browser tells. */
export function findRegion(): string {
  return navigator.languages.find((each) => each.split('-')[0] === language.id) ?? language.locale;
}

/** The time of day, to the second, of Unix milliseconds. */
export function formatClock(ms: number): string {
  return new Date(ms).toLocaleTimeString(findRegion());
}

/** The exact moment in UTC. */
export function formatUtc(iso: string): string {
  const date = new Date(iso);
  if (language.formatUtc !== undefined && !Number.isNaN(date.getTime()))
    return `${language.formatUtc(date, false)} UTC`;
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}
