/** Rates: what coins cost in other money. */

import Type, { type Static } from 'typebox';
import { Count, Nullable, Strict, Time } from './common.ts';

/** Code of a currency. */
export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  minLength: 3,
  maxLength: 3,
  description: 'Currency: a code of ISO 4217 that /config lists.',
});

/** Money of a currency, such as "19.90". */
export const Money = Type.String({
  minLength: 1,
  maxLength: 25,
  pattern: '^[0-9]{1,20}(\\.[0-9]{1,4})?$',
  description: 'Amount in that currency: above zero, with no more decimals than it has.',
});

/** What a coin costs, as text. */
export const RateText = Type.String({
  pattern: '^[0-9]{1,18}(\\.[0-9]{1,32})?$',
  description: 'What one coin costs in the currency: an exact decimal.',
});

/** Names of the operator's sources. */
export const RateSources = Type.Array(Type.String(), {
  description: "Names of the operator's sources that it was made of.",
});

/** Answer of GET /rates. */
export const RateList = Strict(
  {
    max_age_seconds: Nullable(
      Count('A rate that is older is not used; null where prices in other money are not taken.'),
    ),
    items: Type.Array(
      Strict(
        {
          currency: Currency,
          decimals: Count('Decimals that a price in it may have.'),
          rate: Nullable(RateText),
          sources: RateSources,
          at: Nullable(Time('Time of the oldest of them; null where there is no rate at present.')),
          age_seconds: Nullable(Count('Seconds since then.')),
        },
        { title: 'CurrencyRate' },
      ),
      { description: 'By currency.' },
    ),
  },
  { title: 'RateList' },
);
export type RateListJson = Static<typeof RateList>;
