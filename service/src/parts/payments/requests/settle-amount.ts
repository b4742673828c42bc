import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { type PriceQuote, quotePrice, withoutPrice } from '../rates/quote-price.ts';
import { checkBounds, checkConfirmations, type PaymentTerms } from './payment-request.ts';

/** What a payment asks for: base units, and the price that they were made of. */
export type SettledAmount = { amount: bigint; quote: PriceQuote };

/**
 * What is asked for in coins: what was given, or the price by the rate of now.
 *
 * @throws AppError `currency_unknown`, `rate_unavailable`, `amount_invalid`, `confirmations_too_few`
 */
export function settleAmount(
  { asked, confirmationsRequired }: PaymentTerms,
  { rates, profile }: Pick<PaymentRouteContext, 'rates' | 'profile'>,
): SettledAmount {
  if ('amount' in asked) return { amount: asked.amount, quote: withoutPrice };
  const { units, quote } = quotePrice(asked.price, rates, profile);
  const { currency, amount } = asked.price;
  const coins = `${formatAmount(units, profile.decimals)} ${profile.ticker}`;
  checkBounds(units, profile, 'price', `${amount} ${currency}, which is ${coins} at present`);
  checkConfirmations(confirmationsRequired, units, profile);
  return { amount: units, quote };
}
