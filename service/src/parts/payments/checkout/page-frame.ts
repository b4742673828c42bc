/** The frame of every page of the checkout: one document with its style and script inside, and the policy that allows just these. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, trustHtml } from '../../../http/html.ts';
import type { Page } from '../../../http/operation.ts';

/** Colours and type are those of all pages of the service. */
const style = readOwnFile('../../../http/page-tokens.css') + readOwnFile('checkout.css');
const followScript = readOwnFile('follow-payment.js');

/** What a page shows. */
export type PageContent = {
  title: string;
  header: Html;
  main: Html;
  footer: Html | undefined;
  /** Whether the page follows a payment: by its script, and without scripts by being loaded again. */
  follow: { reloadSeconds: number } | undefined;
};

/** A whole page. Everything it needs is in it, so it is painted after one answer and asks nobody else for anything. */
export function buildPage({ title, header, main, footer, follow }: PageContent): Page {
  const reload = follow
    ? html`<noscript><meta http-equiv="refresh" content="${follow.reloadSeconds}"></noscript>`
    : undefined;
  const script = follow ? html`<script type="module">${trustHtml(followScript)}</script>` : undefined;
  const document = html`<!doctype html>
<html lang="en">
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
  return { html: document.html, headers };
}

const headers: Page['headers'] = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src '${hashSource(followScript)}'`,
    `style-src '${hashSource(style)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
};

/** The source expression of CSP for an element with this text. */
function hashSource(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function readOwnFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
