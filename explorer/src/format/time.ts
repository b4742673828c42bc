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

const zone = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** The exact moment in the visitor's own zone. */
export function formatExact(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : zone.format(date);
}

/** The exact moment in UTC. */
export function formatUtc(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}
