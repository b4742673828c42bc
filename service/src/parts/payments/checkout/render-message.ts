import type { AppError } from '../../../errors.ts';
import { html } from '../../../http/html.ts';
import type { Page } from '../../../http/operation.ts';
import { buildPage } from './page-frame.ts';

/** The page for an error: what happened in plain words, and the number under which the operator finds it. */
export function renderErrorPage(error: AppError, requestId: string): Page {
  const { headline, text } = describeError(error);
  return buildPage({
    title: headline,
    header: html`<header><p>Payment</p></header>`,
    main: html`<main data-tone="over"><div class="status"><h1>${headline}</h1><p>${text}</p></div></main>`,
    footer: html`<footer><p>Request ${requestId}, ${error.code}</p></footer>`,
    follow: undefined,
  });
}

function describeError({ code, status }: AppError): { headline: string; text: string } {
  if (code === 'payment_not_found') {
    return {
      headline: 'There is no such payment',
      text: 'Nothing is to be paid here. Check the link with the one who sent it; its last part must be complete.',
    };
  }
  if (code === 'rate_limited') {
    return {
      headline: 'Too many requests',
      text: 'This page was asked for too often from your network. Wait a minute and load it again.',
    };
  }
  return status >= 500
    ? {
        headline: 'This page cannot be shown now',
        text: 'The fault is on our side, and nothing has happened to your payment. Load the page again in a moment.',
      }
    : { headline: 'This page cannot be shown', text: 'Check the link with the one who sent it.' };
}
