/** The time in which a listed payment was made: days and moments in UTC. */

import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import { AppError } from '../../../errors.ts';

/** Unix milliseconds: from the first, below the second; undefined where it is open. */
export type CreatedRange = { fromMs: number | undefined; belowMs: number | undefined };

const DAY_MS = 86_400_000;

/**
 * Reads the two ends, both of which belong to the range; a day counts whole.
 *
 * @throws AppError `invalid_parameter` for a day that no calendar has, and for ends in the wrong order
 */
export function readCreatedRange(from: string | undefined, to: string | undefined): CreatedRange {
  const first = from === undefined ? undefined : readSpan('created_from', from);
  const last = to === undefined ? undefined : readSpan('created_to', to);
  if (first !== undefined && last !== undefined && last.beginsMs < first.beginsMs) {
    throw new AppError('invalid_parameter', '"created_to" is before "created_from".');
  }
  return { fromMs: first?.beginsMs, belowMs: last?.endsMs };
}

/** @throws AppError `invalid_parameter` */
function readSpan(name: string, text: string): { beginsMs: number; endsMs: number } {
  const isDay = !text.includes('T');
  const beginsMs = Date.parse(isDay ? `${text}T00:00:00Z` : text);
  // 30 February would be taken for a day of March.
  const isReal = !Number.isNaN(beginsMs) && new Date(beginsMs).toISOString().startsWith(text.slice(0, 19));
  if (isReal) return { beginsMs, endsMs: beginsMs + (isDay ? DAY_MS : spanOf(text)) };
  const detail = `"${name}" must be a day or a moment of the calendar, received ${quoteReceived(text)}.`;
  throw new AppError('invalid_parameter', detail);
}

/** A moment without its milliseconds is the whole second. */
function spanOf(moment: string): number {
  return moment.includes('.') ? 1 : 1_000;
}
