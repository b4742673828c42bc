/** What is needed for paying: the amount, until when, and the ways to a wallet. */

import type { PaymentJson } from '@coinfront/api/payments.ts';
import { type Html, html } from '../../../http/html.ts';
import { askFor, shortenForQr } from './ask-for.ts';
import { type Description, isZero } from './describe-payment.ts';
import { drawQrCode } from './qr-svg.ts';
import { renderAddress, renderAmount, renderCopy, renderTime, writePrice } from './render-values.ts';
import type { CheckoutWords } from './words/checkout-words.ts';

/** Shown only while something is to be paid. */
export function renderPay(
  payment: PaymentJson,
  { toPay, deadlineMs }: Description,
  { ticker }: { ticker: string },
  words: CheckoutWords,
): Html | undefined {
  if (toPay === undefined) return undefined;
  const { pay, copy } = words;
  const hasPart = !isZero(payment.received.seen);
  const uri = askFor(payment.payment_uri, toPay);
  return html`<section aria-labelledby="send">
<h2 id="send">${hasPart ? pay.stillMissing : pay.sendExactly}</h2>
<p class="amount"><span class="number">${renderAmount(toPay)} <abbr>${ticker}</abbr></span>${renderCopy('copy-amount', toPay, copy.amount, words)}</p>
${payment.price && !hasPart ? html`<p class="price">${writePrice(payment.price, words)}</p>` : undefined}
${deadlineMs === undefined ? undefined : html`<p class="clock">${pay.until} ${renderTime(payment.expires_at, words)}<span id="countdown" role="timer"></span></p>`}
${renderWays(payment, uri, words)}
<p><a id="wallet" class="main-action" href="${uri}">${pay.openWallet}</a></p>
<p class="note">${pay.caution}</p>
</section>`;
}

/** Tabs made of radio buttons: they work without scripts, with the arrow keys, and for screen readers as what they are. */
function renderWays(payment: PaymentJson, uri: string, words: CheckoutWords): Html {
  const { pay, copy } = words;
  const ways = [
    ['way-qr', pay.qrCode],
    ['way-address', pay.address],
    ['way-link', pay.link],
  ] as const;
  return html`<fieldset class="ways"><legend class="unseen">${pay.ways}</legend>
${ways.map(
  ([id, label], index) =>
    html`<input type="radio" name="way" id="${id}" class="unseen"${index === 0 ? html` checked` : undefined}><label for="${id}">${label}</label>`,
)}
<div class="way of-qr">${drawQrCode(shortenForQr(uri), pay.qrLabel)}
<p class="under mono">${renderAddress(payment.address)}</p></div>
<div class="way of-address"><h3>${pay.toAddress}</h3>
<p class="address"><span class="number">${renderAddress(payment.address)}</span>${renderCopy('copy-address', payment.address, copy.address, words)}</p></div>
<div class="way of-link"><h3>${pay.walletLink}</h3>
<p class="address"><span class="number">${uri}</span>${renderCopy('copy-link', uri, copy.link, words)}</p></div>
</fieldset>`;
}
