import type { PaymentJson } from '@coinfront/api/payments.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Page } from '../../../http/operation.ts';
import type { CheckoutCoin, CheckoutView, Shop } from './checkout-view.ts';
import { type Description, describePayment, shortenAmount } from './describe-payment.ts';
import { buildPage } from './page-frame.ts';
import { renderFacts, renderTransactions } from './render-facts.ts';
import { renderPay } from './render-pay.ts';
import { isPaid, renderReceipt } from './render-receipt.ts';
import { asksForAddress, renderRefund } from './render-refund.ts';
import type { CheckoutWords, Step } from './words/checkout-words.ts';
import { languages } from './words/choose-language.ts';

/** What the page is made with. */
export type CheckoutFrame = {
  coin: CheckoutCoin;
  words: CheckoutWords;
  /** Whether this service has pages of transactions. */
  hasExplorer: boolean;
  /** The server's clock, which the countdown goes by. Unix milliseconds. */
  nowMs: number;
};

/** Milliseconds between two questions of the page's script: while money moves, and when only a reorganisation can. */
const FOLLOW_MS = 3_000;
const FOLLOW_SETTLED_MS = 30_000;
const RELOAD_SECONDS = 15;

/** The page of one payment. */
export function renderCheckout(view: CheckoutView, frame: CheckoutFrame): Page {
  const { payment, shop } = view;
  const { coin, words, nowMs } = frame;
  const description = describePayment(payment, coin, words, nowMs, asksForAddress(view.refund));
  return buildPage({
    words,
    title: `${description.headline} · ${shortenAmount(payment.amount)} ${coin.ticker}`,
    header: renderHeader(shop, payment.id),
    main: renderMain(view, description, frame),
    footer: renderFooter(words),
    embedOrigins: shop.embedOrigins,
    isScripted: true,
    reloadSeconds: payment.final || asksForAddress(view.refund) ? undefined : RELOAD_SECONDS,
  });
}

function renderHeader({ name, mark }: Shop, paymentId: string): Html {
  const picture =
    mark &&
    html`<img class="mark" alt="" width="${mark.width}" height="${mark.height}" src="data:image/${mark.kind};base64,${mark.base64}">`;
  return html`<header><div class="shop">${picture}<p><bdi>${name}</bdi></p></div><p class="id">${paymentId}</p></header>`;
}

/** The same page in the other languages; the address stays that of the payment. */
function renderFooter(words: CheckoutWords): Html {
  const others = languages.filter(({ language }) => language !== words.language);
  return html`<footer><p class="languages">${others.map(
    ({ language, ownName }) =>
      html`<a href="?lang=${language}" lang="${language}" hreflang="${language}">${ownName}</a>`,
  )}</p></footer>`;
}

/**
 * The script replaces the children of `part`s that have changed, and reads the attributes of `main`: the server's clock,
 * the deadline, what the page shows as `version`, how often to look, and its words.
 */
function renderMain(
  { payment, shop, returnUrl, refund }: CheckoutView,
  description: Description,
  { coin, words, hasExplorer, nowMs }: CheckoutFrame,
): Html {
  return html`<main id="main" data-tone="${description.tone}" data-now="${nowMs}"
 data-deadline="${description.deadlineMs}"
 data-version="${payment.sequence} ${payment.updated_at} ${payment.as_of?.hash}" data-source="../api/v1/payments/${payment.id}"
 data-every="${isSettled(payment) ? FOLLOW_SETTLED_MS : FOLLOW_MS}" data-final="${String(payment.final)}"
 data-words="${JSON.stringify({ copy: words.copy.button, ...words.script })}">
<div id="status" class="part status" role="status" aria-live="polite" aria-atomic="true">
<h1>${description.headline}</h1>
<p>${description.text}</p>
</div>
<p id="connection" class="connection" role="status" hidden></p>
<div id="progress" class="part">${renderProgress(description, words)}</div>
<div id="pay" class="part">${renderPay(payment, description, coin, words)}</div>
<div id="onward" class="part">${renderOnward(payment, description, returnUrl, words)}</div>
<div id="refund" class="part">${renderRefund(payment.id, refund, coin, words)}</div>
<div id="facts" class="part">${renderFacts(payment, description, coin, words)}</div>
<div id="transactions" class="part">${renderTransactions(payment, coin, words, hasExplorer)}</div>
<div id="receipt" class="part receipt">${renderReceipt(payment, shop, coin, words, nowMs)}</div>
</main>`;
}

function isSettled({ status }: PaymentJson): boolean {
  return status === 'paid' || status === 'overpaid' || status === 'expired' || status === 'cancelled';
}

const stepOrder: readonly Step[] = ['pay', 'seen', 'confirming', 'paid'];

function renderProgress({ step, confirmations }: Description, { progress }: CheckoutWords): Html {
  const reached = step === undefined ? -1 : stepOrder.indexOf(step);
  const steps =
    reached < 0
      ? undefined
      : html`<ol class="steps" aria-label="${progress.label}">${stepOrder.map((name, index) =>
          name === step
            ? html`<li class="${name === 'paid' ? 'past' : 'now'}" aria-current="step">${progress.steps[name]}</li>`
            : html`<li class="${index < reached ? 'past' : 'next'}">${progress.steps[name]}</li>`,
        )}</ol>`;
  const bar =
    confirmations &&
    html`<div class="bar"><progress max="${confirmations.need}" value="${confirmations.have}" aria-label="${progress.confirmations}"></progress>
<span>${progress.count(confirmations.have, confirmations.need)}</span></div>`;
  return html`${steps}${bar}`;
}

/** Where the buyer goes from here. In a frame it is the shop's whole page that goes on. */
function renderOnward(
  payment: PaymentJson,
  { toPay }: Description,
  returnUrl: string | undefined,
  { back, receipt }: CheckoutWords,
): Html | undefined {
  const isLeaving = payment.status === 'open' && toPay !== undefined;
  const link =
    returnUrl &&
    html`<a id="back" class="${toPay === undefined ? 'main-action' : 'quiet-action'}" href="${returnUrl}" target="_top">${
      isLeaving ? back.withoutPaying : back.toShop
    }</a>`;
  const print = isPaid(payment)
    ? html`<button id="print" type="button" class="scripted-only">${receipt.print}</button>`
    : undefined;
  return link || print ? html`<p class="onward">${link}${print}</p>` : undefined;
}
