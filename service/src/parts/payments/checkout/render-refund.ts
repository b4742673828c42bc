/** Money that is left over: where it should go back to, asked once, and what has gone back. Works without a script. */

import { type Html, html } from '../../../http/html.ts';
import type { PayerRefund } from './checkout-view.ts';
import { renderCoins } from './render-values.ts';
import type { CheckoutWords } from './words/checkout-words.ts';

type Coin = { ticker: string };

/** The field that the form sends. */
export const refundAddressField = 'address';
/** No address is longer. */
const MAX_ADDRESS_LENGTH = 120;

/**
 * What is said of money that is left over; nothing where nothing is. While a form is shown it stays the same whatever the chain
 * does, so that the page's script takes nothing away that is being typed.
 */
export function renderRefund(
  paymentId: string,
  refund: PayerRefund | undefined,
  coin: Coin,
  words: CheckoutWords,
): Html | undefined {
  if (refund === undefined) return undefined;
  return html`<section class="refund" aria-labelledby="back-title"><h2 id="back-title">${words.refund.title}</h2>
${refund.open === undefined ? undefined : renderOpen(paymentId, refund.open, refund.address, coin, words)}
${renderDone(refund, coin, words)}</section>`;
}

/** Whether the page asks for an address: then it is not loaded again while somebody types. */
export function asksForAddress(refund: PayerRefund | undefined): boolean {
  return refund?.open !== undefined && refund.address === undefined;
}

function renderOpen(
  paymentId: string,
  open: string,
  address: string | undefined,
  coin: Coin,
  { language, refund: words }: CheckoutWords,
): Html {
  const amount = html`<p>${words.leftOver} ${renderCoins(open, coin)}</p>`;
  if (address !== undefined)
    return html`${amount}<p>${words.given} <span class="mono">${address}</span></p><p class="note">${words.onlyMerchant}</p>`;
  return html`${amount}
<form class="refund-form" method="post" action="${paymentId}/refund-address?lang=${language}">
<label class="field-label" for="refund-address">${words.ask}</label>
<input id="refund-address" name="${refundAddressField}" type="text" class="field mono" required maxlength="${MAX_ADDRESS_LENGTH}" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="refund-note">
<button>${words.submit}</button>
<p id="refund-note" class="note">${words.caution}</p>
</form>`;
}

function renderDone(
  { refunds }: PayerRefund,
  coin: Coin,
  { refund: words }: CheckoutWords,
): Html | undefined {
  if (refunds.length === 0) return undefined;
  return html`<ul class="transactions">${refunds.map(
    ({ amount, address, step, txid }) =>
      html`<li><span>${renderCoins(amount, coin)}</span> <span class="state">${words.steps[step]}</span>
<span>${words.to} <span class="mono">${address}</span></span>
${txid === undefined ? undefined : html`<span class="mono txid">${txid}</span>`}</li>`,
  )}</ul>`;
}
