import type { AppError } from '../../../errors.ts';
import { html } from '../../../http/html.ts';
import type { Page } from '../../../http/operation.ts';
import { buildPage } from './page-frame.ts';
import type { CheckoutWords, Message } from './words/checkout-words.ts';

/**
 * The page for an error: what happened in plain words, and the number under which the operator finds it.
 *
 * @param wayBack the page that it leads back to; none unless given
 */
export function renderErrorPage(
  error: AppError,
  requestId: string,
  words: CheckoutWords,
  wayBack?: string,
): Page {
  const { headline, text } = describeError(error, words);
  const back =
    wayBack && html`<p class="onward"><a class="main-action" href="${wayBack}">${words.errors.back}</a></p>`;
  return buildPage({
    words,
    title: headline,
    header: html`<header><p>${words.errors.header}</p></header>`,
    main: html`<main data-tone="over"><div class="status"><h1>${headline}</h1><p>${text}</p></div>${back}</main>`,
    footer: html`<footer><p>${words.errors.request(requestId, error.code)}</p></footer>`,
    embedOrigins: [],
    isScripted: false,
    reloadSeconds: undefined,
  });
}

function describeError({ code, status }: AppError, { errors }: CheckoutWords): Message {
  if (code === 'payment_not_found') return errors.notFound;
  if (code === 'rate_limited') return errors.tooMany;
  if (code === 'address_invalid') return errors.noAddress;
  if (code === 'private_key_refused') return errors.keyRefused;
  if (code === 'refund_address_given') return errors.addressGiven;
  if (code === 'nothing_to_refund') return errors.nothingLeft;
  return status >= 500 ? errors.ours : errors.other;
}
