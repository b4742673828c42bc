/** The receipt: what is printed of a payment that is paid. On the screen it is not shown. */

import type { PaymentJson, PaymentTransactionJson } from '@coinfront/api/payments.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Shop } from './checkout-view.ts';
import { isZero } from './describe-payment.ts';
import { renderRate, renderUtc, writePrice } from './render-values.ts';
import type { CheckoutWords } from './words/checkout-words.ts';

/** Undefined until there is something to confirm. */
export function renderReceipt(
  payment: PaymentJson,
  shop: Shop,
  coin: { ticker: string },
  words: CheckoutWords,
  nowMs: number,
): Html | undefined {
  if (!isPaid(payment)) return undefined;
  const { receipt } = words;
  const { description, price, tolerated, settled_at: paidAt } = payment;
  const { ticker } = coin;
  const facts: Array<readonly [string, Html] | undefined> = [
    [receipt.shop, html`<bdi>${shop.name}</bdi>`],
    description === ''
      ? undefined
      : [receipt.order, html`<bdi class="words" dir="auto">${description}</bdi>`],
    [receipt.payment, html`${payment.id}`],
    [receipt.amount, html`${payment.amount} ${ticker}`],
    price ? [receipt.price, html`${writePrice(price, words)}`] : undefined,
    price ? [receipt.rate, renderRate(price, coin, words, renderUtc)] : undefined,
    [receipt.received, html`${payment.received.settled} ${ticker}`],
    isZero(tolerated) ? undefined : [receipt.tolerated, html`${tolerated} ${ticker}`],
    [receipt.address, html`<span class="mono">${payment.address}</span>`],
    paidAt === null ? undefined : [receipt.paidAt, renderUtc(paidAt, words)],
    [receipt.writtenAt, renderUtc(new Date(nowMs).toISOString(), words)],
  ];
  const counted = payment.transactions.filter(({ state, late }) => state !== 'gone' && !late);
  return html`<h2>${receipt.title}</h2>
<dl>${facts.map((fact) => fact && html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`)}</dl>
<h3>${receipt.transactions}</h3>
<ul>${counted.map((output) => renderOutput(output, ticker, words))}</ul>
<p class="note">${receipt.note}</p>`;
}

/** Whether a payment has what a receipt confirms. */
export function isPaid({ status }: PaymentJson): boolean {
  return status === 'paid' || status === 'overpaid';
}

function renderOutput(output: PaymentTransactionJson, ticker: string, words: CheckoutWords): Html {
  const { receipt } = words;
  const { height, block_time: minedAt } = output;
  const when =
    height === null || minedAt === null
      ? html`${receipt.firstSeen} ${renderUtc(output.first_seen, words)}`
      : html`${receipt.block(height)}, ${renderUtc(minedAt, words)}`;
  return html`<li>${output.amount} ${ticker}, ${when}
<br><span class="mono">${output.txid}</span></li>`;
}
