/** The frame of every page of the checkout: one document with its style and script inside, and the policy that allows just these. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, trustHtml } from '../../../http/html.ts';
import type { Page } from '../../../http/operation.ts';
import type { CheckoutWords } from './words/checkout-words.ts';

/** Colours and type are those of all pages of the service. */
const style =
  readOwnFile('../../../http/page-tokens.css') + readOwnFile('checkout.css') + readOwnFile('receipt.css');
const followScript = readOwnFile('follow-payment.js');

/** What a page shows. */
export type PageContent = {
  words: CheckoutWords;
  title: string;
  header: Html;
  main: Html;
  footer: Html | undefined;
  /** Origins whose pages may have this one in a frame; checked, for they become a part of the policy. */
  embedOrigins: readonly string[];
  /** Whether it is the page of a payment, which the script makes more of. */
  isScripted: boolean;
  /** After how long it is loaded again where no script runs; undefined when nothing can change any more. */
  reloadSeconds: number | undefined;
};

/** A whole page. Everything it needs is in it, so it is painted after one answer and asks nobody else for anything. */
export function buildPage(content: PageContent): Page {
  const { words, title, header, main, footer, embedOrigins, isScripted, reloadSeconds } = content;
  const reload =
    reloadSeconds === undefined
      ? undefined
      : html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>`;
  const script = isScripted ? html`<script type="module">${trustHtml(followScript)}</script>` : undefined;
  const document = html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${reload}
<style>${trustHtml(style)}</style>
</head>
<body>
${header}
${main}
${footer}
${script}
</body>
</html>
`;
  return { html: document.html, headers: buildHeaders(words, embedOrigins) };
}

function buildHeaders({ language }: CheckoutWords, embedOrigins: readonly string[]): Page['headers'] {
  const isEmbedded = embedOrigins.length > 0;
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src '${hashSource(followScript)}'`,
      `style-src '${hashSource(style)}'`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'self'",
      `frame-ancestors ${isEmbedded ? embedOrigins.join(' ') : "'none'"}`,
    ].join('; '),
    // A shop that isolates itself (COEP) takes only frames that say the same of themselves, and that it may have.
    'cross-origin-resource-policy': isEmbedded ? 'cross-origin' : 'same-origin',
    ...(isEmbedded ? { 'cross-origin-embedder-policy': 'require-corp' } : {}),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-robots-tag': 'noindex, nofollow',
    'content-language': language,
    // With what the service says of other answers: a header of this name takes its place.
    vary: 'Accept-Language, Origin',
  };
}

/** The source expression of CSP for an element with this text. */
function hashSource(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function readOwnFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
