import type { PaymentJson, PaymentTransactionJson } from '@coinfront/api/payments.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Page } from '../../../http/operation.ts';
import { askFor, shortenForQr } from './ask-for.ts';
import { type Description, describePayment, type Step, shortenAmount } from './describe-payment.ts';
import { buildPage } from './page-frame.ts';
import { drawQrCode } from './qr-svg.ts';

/** The coin as the page names it. */
export type CheckoutCoin = { name: string; ticker: string; decimals: number };

/** Milliseconds between two questions of the page's script: while money moves, and when only a reorganisation can. */
const FOLLOW_MS = 3_000;
const FOLLOW_SETTLED_MS = 30_000;
const RELOAD_SECONDS = 15;

/** The page of one payment. `nowMs` is the server's clock, which the countdown goes by. */
export function renderCheckout(payment: PaymentJson, coin: CheckoutCoin, nowMs: number): Page {
  const description = describePayment(payment, coin, nowMs);
  return buildPage({
    title: `${description.headline} · ${shortenAmount(payment.amount)} ${coin.ticker}`,
    header: html`<header><p>${coin.name} payment</p><p class="id">${payment.id}</p></header>`,
    main: renderMain(payment, description, coin, nowMs),
    footer: undefined,
    follow: payment.final ? undefined : { reloadSeconds: RELOAD_SECONDS },
  });
}

/**
 * The script replaces the children of `part`s that have changed, and reads the attributes of `main`: the server's clock,
 * the deadline, what the page shows as `version`, and how often to look.
 */
function renderMain(payment: PaymentJson, description: Description, coin: CheckoutCoin, nowMs: number): Html {
  return html`<main id="main" data-tone="${description.tone}" data-now="${nowMs}"
 data-deadline="${description.deadlineMs}"
 data-version="${payment.sequence} ${payment.updated_at} ${payment.as_of?.hash}" data-source="../api/v1/payments/${payment.id}"
 data-every="${isSettled(payment) ? FOLLOW_SETTLED_MS : FOLLOW_MS}" data-final="${String(payment.final)}">
<div id="status" class="part status" role="status" aria-live="polite" aria-atomic="true">
<h1>${description.headline}</h1>
<p>${description.text}</p>
</div>
<p id="connection" class="connection" role="status" hidden></p>
<div id="progress" class="part">${renderProgress(description)}</div>
<div id="pay" class="part">${renderPay(payment, description, coin)}</div>
<div id="facts" class="part">${renderFacts(payment, description, coin)}</div>
<div id="transactions" class="part">${renderTransactions(payment.transactions, coin)}</div>
</main>`;
}

function isSettled({ status }: PaymentJson): boolean {
  return status === 'paid' || status === 'overpaid' || status === 'expired' || status === 'cancelled';
}

const stepNames: ReadonlyArray<readonly [Step, string]> = [
  ['pay', 'Pay'],
  ['seen', 'Seen'],
  ['confirming', 'Confirmed'],
  ['paid', 'Paid'],
];

function renderProgress({ step, confirmations }: Description): Html {
  const reached = stepNames.findIndex(([name]) => name === step);
  const steps =
    reached < 0
      ? undefined
      : html`<ol class="steps" aria-label="Progress">${stepNames.map(([name, label], index) =>
          name === step
            ? html`<li class="${name === 'paid' ? 'past' : 'now'}" aria-current="step">${label}</li>`
            : html`<li class="${index < reached ? 'past' : 'next'}">${label}</li>`,
        )}</ol>`;
  const bar = confirmations
    ? html`<div class="bar"><progress max="${confirmations.need}" value="${confirmations.have}" aria-label="Confirmations"></progress>
<span>${confirmations.have} of ${confirmations.need}</span></div>`
    : undefined;
  return html`${steps}${bar}`;
}

/** What is needed for paying: shown only while something is to be paid. */
function renderPay(
  payment: PaymentJson,
  { toPay, deadlineMs }: Description,
  coin: CheckoutCoin,
): Html | undefined {
  if (toPay === undefined) return undefined;
  const uri = askFor(payment.payment_uri, toPay);
  return html`<section aria-labelledby="send">
<h2 id="send">Send exactly</h2>
<p class="amount"><span class="number">${renderAmount(toPay)} <abbr>${coin.ticker}</abbr></span>${renderCopy('copy-amount', toPay, 'amount')}</p>
${deadlineMs === undefined ? undefined : html`<p class="clock">until ${renderTime(payment.expires_at)}<span id="countdown" role="timer"></span></p>`}
${drawQrCode(shortenForQr(uri), 'QR code of this payment')}
<p><a id="wallet" class="wallet" href="${uri}">Open in a wallet</a></p>
<h2>To this address</h2>
<p class="address"><span class="number">${renderAddress(payment.address)}</span>${renderCopy('copy-address', payment.address, 'address')}</p>
<p class="note">Payments cannot be taken back. Before you send, compare amount and address in your wallet with this page.</p>
</section>`;
}

/** What the payment is about; amount and address stand here when they are no longer asked for. */
function renderFacts(payment: PaymentJson, { toPay }: Description, coin: CheckoutCoin): Html {
  const isPart = payment.received.seen !== payment.amount && !/^[0.]*$/.test(payment.received.seen);
  const facts: Array<readonly [string, Html] | undefined> = [
    payment.description === ''
      ? undefined
      : ['The merchant writes', html`<bdi class="words" dir="auto">${payment.description}</bdi>`],
    toPay === payment.amount ? undefined : ['Asked for', renderCoins(payment.amount, coin)],
    isPart ? ['Received', renderCoins(payment.received.seen, coin)] : undefined,
    toPay === undefined
      ? ['Address', html`<span class="mono">${renderAddress(payment.address)}</span>`]
      : undefined,
  ];
  return html`<dl>${facts.map((fact) => fact && html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`)}</dl>`;
}

const outputStates = { mempool: 'waits for a block', gone: 'no longer seen' } as const;

function renderTransactions(
  transactions: readonly PaymentTransactionJson[],
  coin: CheckoutCoin,
): Html | undefined {
  if (transactions.length === 0) return undefined;
  return html`<section aria-labelledby="received"><h2 id="received">Transactions</h2><ul class="transactions">${transactions.map(
    (
      output,
    ) => html`<li><span>${renderCoins(output.amount, coin)}</span> <span class="state">${describeOutput(output)}</span>
<span class="mono txid">${output.txid}</span></li>`,
  )}</ul></section>`;
}

function describeOutput({ state, confirmations, late }: PaymentTransactionJson): string {
  const words =
    state === 'confirmed'
      ? `${confirmations} confirmation${confirmations === 1 ? '' : 's'}`
      : outputStates[state];
  return late ? `${words}, too late` : words;
}

function renderCoins(amount: string, { ticker }: CheckoutCoin): Html {
  return html`${renderAmount(amount)} ${ticker}`;
}

/** All decimals, with those that say nothing in the background. */
function renderAmount(amount: string): Html {
  const said = shortenAmount(amount);
  return said === amount
    ? html`${amount}`
    : html`${said}<span class="zeros">${amount.slice(said.length)}</span>`;
}

/** Whole, in groups of four that can be compared; what is copied has no gaps. */
function renderAddress(address: string): Html {
  const groups = address.match(/.{1,4}/gsu) ?? [];
  return html`${groups.map((group) => html`<span class="group">${group}</span><wbr>`)}`;
}

function renderCopy(id: string, text: string, what: string): Html {
  return html`<button id="${id}" type="button" class="copy" data-copy="${text}" aria-label="Copy ${what}">Copy</button>`;
}

const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

function renderTime(iso: string): Html {
  return html`<time datetime="${iso}">${utc.format(new Date(iso))} UTC</time>`;
}
