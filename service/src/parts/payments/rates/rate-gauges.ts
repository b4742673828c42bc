import type { LabelledSource } from '../../../http/metrics-server.ts';
import type { FollowedRates } from './follow-rates.ts';

/** What `/metrics` tells of rates: nothing where none are configured. */
export function listRateGauges(rates: FollowedRates, now: () => number): LabelledSource[] {
  return [
    {
      kind: 'gauge',
      name: 'coinfront_rate_age_seconds',
      help: 'Seconds since the newest rate of a currency, from any of its sources.',
      label: 'currency',
      list: () =>
        new Map([...rates.listNewest()].map(([currency, atMs]) => [currency, (now() - atMs) / 1_000])),
    },
    {
      kind: 'counter',
      name: 'coinfront_rate_source_failures_total',
      help: 'Failed tries to read a rate source.',
      label: 'source',
      list: rates.listFailures,
    },
  ];
}
