import type { PaymentJson, PriceJson } from '@coinfront/api/payments.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import { AppError } from '../../../errors.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import { writeTime } from '../write-time.ts';
import type { Rates } from './follow-rates.ts';
import { convertPrice, decimalsOf, parsePrice } from './price-rules.ts';
import { formatRate } from './rate-rules.ts';

/** A price with the rate that it was turned into coins by, as a payment keeps it. */
export type PriceQuote = Pick<
  PaymentTable,
  'price_currency' | 'price_amount' | 'price_rate' | 'price_sources' | 'price_at'
>;

/** What a payment has that was asked for in coins. */
export const withoutPrice: PriceQuote = {
  price_currency: null,
  price_amount: null,
  price_rate: null,
  price_sources: null,
  price_at: null,
};

/** Seconds after which a rate may be back. */
const RETRY_AFTER = '30';

/**
 * Turns a price into coins by the rate of now. Whether a payment can ask for so much is for the caller.
 *
 * @throws AppError `currency_unknown`, `amount_invalid`, `rate_unavailable`
 */
export function quotePrice(
  { currency, amount }: PriceJson,
  rates: Rates | undefined,
  { decimals }: Pick<CoinProfile, 'decimals'>,
): { units: bigint; quote: PriceQuote } {
  const found = rates?.find(currency) ?? 'unknown';
  if (found === 'unknown') throw currencyUnknown(currency, rates);
  const price = parsePrice(amount, currency);
  if (!price.ok)
    throw new AppError(
      'amount_invalid',
      `"price.amount" ${price.reason}; received ${quoteReceived(amount)}.`,
    );
  if (found === 'unavailable') {
    const detail = `There is no rate of ${currency} at present that is fresh enough. Try again soon, or ask for an "amount" in coins.`;
    throw new AppError('rate_unavailable', detail, { 'retry-after': RETRY_AFTER });
  }
  return {
    units: convertPrice(price.value, currency, found.rate, decimals),
    quote: {
      price_currency: currency,
      price_amount: formatAmount(price.value, decimalsOf(currency)),
      price_rate: formatRate(found.rate),
      price_sources: found.sources.join(' '),
      price_at: found.atMs,
    },
  };
}

function currencyUnknown(currency: string, rates: Rates | undefined): AppError {
  const known = rates?.list().map((each) => each.currency) ?? [];
  const detail =
    known.length === 0
      ? 'Prices in other money are not taken here. Give an "amount" in coins.'
      : `Prices can be in ${known.join(', ')}; received ${quoteReceived(currency)}.`;
  return new AppError('currency_unknown', detail);
}

/** The price of a payment as everybody may see it. */
export function describePrice(payment: PriceQuote): PaymentJson['price'] {
  const { price_currency, price_amount, price_rate, price_sources, price_at } = payment;
  if (price_currency === null) return null;
  return {
    currency: price_currency,
    amount: price_amount!,
    rate: price_rate!,
    sources: price_sources!.split(' '),
    at: writeTime(price_at!),
  };
}
