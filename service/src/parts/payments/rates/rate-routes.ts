import { RateList } from '@coinfront/api/rates.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../../http/call-route.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { writeTime } from '../write-time.ts';
import { rateExamples } from './examples-rates.ts';
import { decimalsOf } from './price-rules.ts';
import { formatRate } from './rate-rules.ts';

/** `GET /rates`. */
export function registerRateRoutes(
  app: FastifyInstance,
  { rates, now }: Pick<PaymentRouteContext, 'rates' | 'now'>,
): void {
  registerCall(app, {
    method: 'GET',
    path: '/rates',
    response: RateList,
    cache: 'tip',
    operation: {
      document: 'chain',
      id: 'getRates',
      tag: 'Payments',
      summary: 'What a coin costs in other money',
      description:
        "By the operator's sources: the median of those that are fresh, without any that is far from it. Prices of payments are " +
        'turned into coins by these rates. Without sources the list is empty.',
      errors: [],
      example: rateExamples.list,
    },
    call: () => ({
      max_age_seconds: rates?.maxAgeSeconds() ?? null,
      items: (rates?.list() ?? []).map(({ currency, chosen }) => ({
        currency,
        decimals: decimalsOf(currency),
        rate: chosen === undefined ? null : formatRate(chosen.rate),
        sources: chosen?.sources ?? [],
        at: chosen === undefined ? null : writeTime(chosen.atMs),
        age_seconds: chosen === undefined ? null : Math.max(0, Math.floor((now() - chosen.atMs) / 1_000)),
      })),
    }),
  });
}
