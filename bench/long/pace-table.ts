import { brief } from '../table.ts';
import type { PaceRow } from './pace.ts';

const HEADINGS = [
  'transactions',
  'height',
  'seconds',
  'tx/s',
  'floor s',
  'sync/floor',
  'peak MB',
  'written MB',
  'index MB',
  'written/index',
  'index B/tx',
] as const;

const WIDTH = 14;

/** The head of the table of a sync's pace. */
export function formatPaceHead(): string {
  return HEADINGS.map((heading) => heading.padStart(WIDTH)).join('');
}

/** A line of it: seconds, pace and the floor of this stretch alone, memory and disk since the start. */
export function formatPaceRow(row: PaceRow, floorSeconds: number): string {
  const cells: Record<(typeof HEADINGS)[number], string> = {
    transactions: row.total.toLocaleString('en'),
    height: row.toHeight.toLocaleString('en'),
    seconds: brief(row.seconds),
    'tx/s': brief(row.transactions / row.seconds),
    'floor s': brief(floorSeconds),
    'sync/floor': brief(row.seconds / floorSeconds),
    'peak MB': brief(row.peakRssBytes / 1e6),
    'written MB': brief(row.writtenBytes / 1e6),
    'index MB': brief(row.indexBytes / 1e6),
    'written/index': brief(row.writtenBytes / row.indexBytes),
    'index B/tx': brief(row.indexBytes / row.total),
  };
  return HEADINGS.map((heading) => cells[heading].padStart(WIDTH)).join('');
}
