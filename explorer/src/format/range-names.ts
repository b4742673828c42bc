import type { SeriesRange } from '@coinfront/api/chain-series.ts';
import type { MessageKey } from '../language/messages.ts';

/** What the ranges of charts are called, in the order in which they are offered. */
export const rangeNames: Readonly<Record<SeriesRange, MessageKey>> = {
  '1d': '1 day',
  '3d': '3 days',
  '1w': '1 week',
  '1m': '1 month',
  '3m': '3 months',
  '6m': '6 months',
  '1y': '1 year',
  '3y': '3 years',
  all: 'All',
};
