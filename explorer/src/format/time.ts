/** Moments as they are shown: how long ago, and the exact one beside it. */

/** How long a moment is ago, or how far ahead, in one unit. */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.round((nowMs - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return iso;
  if (seconds < 0) return seconds > -5 ? 'now' : `in ${formatDuration(-seconds)}`;
  return seconds < 2 ? 'now' : `${formatDuration(seconds)} ago`;
}

/** A length of time in its largest unit. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  if (seconds < 60 * 86_400) return `${Math.round(seconds / 86_400)} days`;
  if (seconds < 700 * 86_400) return `${Math.round(seconds / (30.4 * 86_400))} months`;
  return `${(seconds / (365.25 * 86_400)).toFixed(1)} years`;
}

/** Which clock a moment is told by. */
export type Zone = 'local' | 'utc';

const locals = {
  date: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  exact: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }),
} as const;

/** The exact moment, with its zone; in the visitor's own as it is written there. */
export function formatExact(iso: string, zone: Zone): string {
  return zone === 'utc' ? formatUtc(iso) : formatLocal(iso, locals.exact);
}

/** A moment to the minute, without its zone. */
export function formatDate(iso: string, zone: Zone): string {
  return zone === 'utc'
    ? iso.slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')
    : formatLocal(iso, locals.date);
}

function formatLocal(iso: string, format: Intl.DateTimeFormat): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : format.format(date);
}

/** The exact moment in UTC. */
export function formatUtc(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}
