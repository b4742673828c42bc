import { createAllowList } from '../outbound/allow-list.ts';
import { createRateClient } from '../outbound/rate-client.ts';
import { type FollowedRates, followRates } from '../parts/payments/rates/follow-rates.ts';
import { listRateGauges } from '../parts/payments/rates/rate-gauges.ts';
import { serviceVersion } from '../version.ts';
import type { Ground } from './ground.ts';
import type { Wired } from './wired.ts';

/** Rates, for who asks for prices and for who tells which currencies there are. */
export type WiredRates = Wired & { rates?: FollowedRates; listCurrencies?: () => readonly string[] };

/** What coins cost in other money, where the operator has sources for it and this process serves the API. */
export function wireRates({ config, logger }: Ground): WiredRates {
  const { ratesFile: file, ratesAllow, roles } = config;
  if (file === undefined || !roles.has('api')) return {};
  const allow = createAllowList(ratesAllow);
  const client = createRateClient({ allow }, `Coinfront/${serviceVersion}`);
  const rates = followRates({
    file,
    allow,
    fetchText: client.fetchText,
    now: Date.now,
    random: Math.random,
    log: (level, message) => logger[level](message),
  });
  return {
    rates,
    listCurrencies: () => rates.list().map(({ currency }) => currency),
    labelled: listRateGauges(rates, Date.now),
    close: () => {
      client.close();
      return rates.stop();
    },
  };
}
