/** Slots by the day (UTC) that they are in. Times are Unix milliseconds. */

const DAY_MS = 86_400_000;

/** Days that are shown. */
export const SHOWN_DAYS = 90;

/** Days since 1970 of a moment. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The date of a day, as ISO 8601 writes it. */
export function writeDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** How many of the slots from one moment to another begin on which day. */
export function splitByDay(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  slotMs: number,
): Map<number, number> {
  const slots = new Map<number, number>();
  for (let at = fromMs; at < toMs; at += slotMs) slots.set(dayOf(at), (slots.get(dayOf(at)) ?? 0) + 1);
  return slots;
}
