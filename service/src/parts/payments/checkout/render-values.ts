/** How the page writes single values: amounts, addresses, times, and what copies them. */

import type { PaymentJson } from '@coinfront/api/payments.ts';
import { type Html, html } from '../../../http/html.ts';
import { shortenAmount } from './describe-payment.ts';
import type { CheckoutWords } from './words/checkout-words.ts';

type PaymentPrice = NonNullable<PaymentJson['price']>;

/** All decimals, with those that say nothing in the background. The dot stays in every language: wallets take no comma. */
export function renderAmount(amount: string): Html {
  const said = shortenAmount(amount);
  return said === amount
    ? html`${amount}`
    : html`${said}<span class="zeros">${amount.slice(said.length)}</span>`;
}

/** An amount with its ticker. */
export function renderCoins(amount: string, { ticker }: { ticker: string }): Html {
  return html`${renderAmount(amount)} ${ticker}`;
}

/** Whole, in groups of four that can be compared; what is copied has no gaps. */
export function renderAddress(address: string): Html {
  const groups = address.match(/.{1,4}/gsu) ?? [];
  return html`${groups.map((group) => html`<span class="group">${group}</span><wbr>`)}`;
}

/** A price as readers of the language write money; exact, since it is never a number here. */
export function writePrice({ currency, amount }: PaymentPrice, { locale }: CheckoutWords): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  const form = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return form.format(amount as Intl.StringNumericLiteral);
}

/** What one coin cost when the price was turned into coins, by whom, and when. */
export function renderRate(
  { currency, rate, sources, at }: PaymentPrice,
  { ticker }: { ticker: string },
  words: CheckoutWords,
  writeTime: (iso: string, words: CheckoutWords) => Html,
): Html {
  const form = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 20 });
  const written = form.format(rate as Intl.StringNumericLiteral);
  return html`1 ${ticker} = ${written} ${currency} (${sources.join(', ')}, ${writeTime(at, words)})`;
}

/** A button for the script, and shown by it. `name` begins or ends with the words on the button. */
export function renderCopy(id: string, text: string, name: string, { copy }: CheckoutWords): Html {
  return html`<button id="${id}" type="button" class="scripted-only" data-copy="${text}" aria-label="${name}">${copy.button}</button>`;
}

/** A time in UTC, which the script writes in the reader's own zone. */
export function renderTime(iso: string, words: CheckoutWords): Html {
  return html`<time class="local" datetime="${iso}">${writeUtc(iso, words)} UTC</time>`;
}

/** A time in UTC that stays so. */
export function renderUtc(iso: string, words: CheckoutWords): Html {
  return html`<time datetime="${iso}">${writeUtc(iso, words)}</time>`;
}

function writeUtc(iso: string, { locale }: CheckoutWords): string {
  const form = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return form.format(new Date(iso));
}
