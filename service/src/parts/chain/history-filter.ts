import type { HistoryFilter } from '../../chain/search-history.ts';
import { AppError } from '../../errors.ts';

/**
 * The part of a history that a query asks for; undefined for all of it.
 *
 * @throws AppError `invalid_parameter`
 */
export function readHistoryFilter(query: {
  direction?: 'received' | 'sent';
  from_date?: string;
  to_date?: string;
}): HistoryFilter | undefined {
  const { direction, from_date: fromDay, to_date: toDay } = query;
  if (direction === undefined && fromDay === undefined && toDay === undefined) return undefined;
  for (const [name, day] of Object.entries({ from_date: fromDay, to_date: toDay })) {
    if (day !== undefined && !isDay(day))
      throw new AppError('invalid_parameter', `"${name}" is no day of the calendar: ${day}.`);
  }
  if (fromDay !== undefined && toDay !== undefined && fromDay > toDay)
    throw new AppError('invalid_parameter', `from_date is ${fromDay}, after to_date, ${toDay}.`);
  return { direction, fromDay, toDay };
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
