import type { AppError } from '../../../errors.ts';
import { html } from '../../../http/html.ts';
import type { Page } from '../../../http/operation.ts';
import { buildPage } from './page-frame.ts';
import type { CheckoutWords, Message } from './words/checkout-words.ts';

/** The page for an error: what happened in plain words, and the number under which the operator finds it. */
export function renderErrorPage(error: AppError, requestId: string, words: CheckoutWords): Page {
  const { headline, text } = describeError(error, words);
  return buildPage({
    words,
    title: headline,
    header: html`<header><p>${words.errors.header}</p></header>`,
    main: html`<main data-tone="over"><div class="status"><h1>${headline}</h1><p>${text}</p></div></main>`,
    footer: html`<footer><p>${words.errors.request(requestId, error.code)}</p></footer>`,
    embedOrigins: [],
    isScripted: false,
    reloadSeconds: undefined,
  });
}

function describeError({ code, status }: AppError, { errors }: CheckoutWords): Message {
  if (code === 'payment_not_found') return errors.notFound;
  if (code === 'rate_limited') return errors.tooMany;
  return status >= 500 ? errors.ours : errors.other;
}
