/** What the payment is about, and what has come for it. */

import type { PaymentJson, PaymentTransactionJson } from '@coinfront/api/payments.ts';
import { type Html, html } from '../../../http/html.ts';
import { type Description, isZero } from './describe-payment.ts';
import { renderAddress, renderCoins, renderRate, renderTime, writePrice } from './render-values.ts';
import type { CheckoutWords } from './words/checkout-words.ts';

type Coin = { ticker: string };

/** Amount and address stand here when they are no longer asked for. */
export function renderFacts(
  payment: PaymentJson,
  { toPay }: Description,
  coin: Coin,
  words: CheckoutWords,
): Html {
  const { facts } = words;
  const { amount, price, description, address, received } = payment;
  const isPart = received.seen !== amount && !isZero(received.seen);
  const shown: Array<readonly [string, Html] | undefined> = [
    description === ''
      ? undefined
      : [facts.merchantWrites, html`<bdi class="words" dir="auto">${description}</bdi>`],
    toPay === amount ? undefined : [facts.askedFor, renderCoins(amount, coin)],
    price ? [facts.price, html`${writePrice(price, words)}`] : undefined,
    price ? [facts.rate, renderRate(price, coin, words, renderTime)] : undefined,
    isPart ? [facts.received, renderCoins(received.seen, coin)] : undefined,
    toPay === undefined
      ? [facts.address, html`<span class="mono">${renderAddress(address)}</span>`]
      : undefined,
  ];
  return html`<dl>${shown.map((fact) => fact && html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`)}</dl>`;
}

/** Every output that came; `hasExplorer` says whether this service has pages of transactions. */
export function renderTransactions(
  { transactions, confirmations_required: required }: PaymentJson,
  coin: Coin,
  words: CheckoutWords,
  hasExplorer: boolean,
): Html | undefined {
  if (transactions.length === 0) return undefined;
  return html`<section aria-labelledby="received"><h2 id="received">${words.transactions.title}</h2><ul class="transactions">${transactions.map(
    (output) =>
      html`<li><span>${renderCoins(output.amount, coin)}</span> <span class="state">${describeOutput(output, required, words)}</span>
${renderTxid(output, hasExplorer)}</li>`,
  )}</ul></section>`;
}

/** A transaction that is gone has no page. In a frame the explorer is not to take the shop's place, so it opens beside. */
function renderTxid({ txid, state }: PaymentTransactionJson, hasExplorer: boolean): Html {
  return hasExplorer && state !== 'gone'
    ? html`<a class="mono txid" href="../tx/${txid}" target="_blank" rel="noopener">${txid}</a>`
    : html`<span class="mono txid">${txid}</span>`;
}

function describeOutput(
  { state, confirmations, late, replaceable }: PaymentTransactionJson,
  required: number,
  { transactions: words }: CheckoutWords,
): string {
  const said =
    state === 'confirmed'
      ? words.confirmations(confirmations)
      : state === 'gone'
        ? words.gone
        : words.inMempool + (required === 0 && replaceable ? words.replaceable : '');
  return late ? said + words.late : said;
}
