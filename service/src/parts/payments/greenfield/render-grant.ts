/** The page on which a merchant gives an application a key, and the one that sends it there. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html, trustHtml } from '../../../http/html.ts';
import type { Page } from '../../../http/operation.ts';
import type { GrantRequest } from './grant-rules.ts';
import { permissions } from './permission-rules.ts';

const style = readOwnFile('../../../http/page-tokens.css') + readOwnFile('grant.css');

/** Asks the merchant; `fault` says what was wrong with the last try. */
export function renderGrantForm(request: GrantRequest, fault?: string): Page {
  const { applicationName, granted, unknown, redirect } = request;
  const hidden = [
    ...granted.map((name) => ['permissions', name] as const),
    ['applicationName', applicationName] as const,
    ...(redirect === undefined ? [] : [['redirect', redirect.href] as const]),
  ];
  return buildPage(
    'Give an application access to your payments',
    html`<h1>Give “${applicationName}” access to your payments?</h1>
${fault === undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`}
${describeTarget(redirect)}
<p>With the key it can:</p>
<ul>${granted.map((name) => html`<li>${permissions[name]}.</li>`)}</ul>
<p>It is good for nothing else here.</p>
${unknown.length === 0 ? undefined : html`<p>It also asked for ${unknown.join(', ')}. That is not given here.</p>`}
<form method="post" action="authorize">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="key">Your API key</label>
<input id="key" name="key" type="password" required autocomplete="off" spellcheck="false" autofocus>
<small>A key of scope “all”. It is used this once to make another key, and is not handed on.</small>
<button>${redirect === undefined ? 'Make the key' : html`Make a key for ${redirect.host}`}</button>
</form>`,
    "'self'",
  );
}

function describeTarget(redirect: URL | undefined): Html {
  if (redirect === undefined) return html`<p>A new key is made for it, and shown to you once.</p>`;
  return html`<p>A new key is made for it, and your browser sends it to:</p>
<p class="target"><strong>${redirect.host}</strong>${redirect.origin}${redirect.pathname}</p>
<p>Go on only if you came here from the settings of your shop, and this is the address of your shop. Who has the key sees
your payments.</p>`;
}

/** A key that was made. */
export type GrantedKey = { apiKey: string; userId: string; permissions: readonly string[] };

/** Has the browser send the key to the application, by a form, when the merchant says so; or shows it. */
export function renderGranted(
  { applicationName, redirect }: GrantRequest,
  { apiKey, userId, permissions: names }: GrantedKey,
): Page {
  if (redirect === undefined) {
    return buildPage(
      'The key is made',
      html`<h1>The key for “${applicationName}” is made</h1>
<p>It is not shown again:</p>
<p class="target"><code>${apiKey}</code></p>
<p>The store is</p>
<p class="target"><code>${userId}</code></p>`,
      "'none'",
    );
  }
  const fields = [
    ['apiKey', apiKey] as const,
    ['userId', userId] as const,
    ...names.map((name) => ['permissions[]', name] as const),
  ];
  return buildPage(
    'The key is made',
    html`<h1>The key for “${applicationName}” is made</h1>
<p>One more step: send it to your shop.</p>
<form method="post" action="${redirect.href}">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button autofocus>Send it to ${redirect.host}</button>
</form>`,
    // A shop that redirects its http to https, or the other way, is still the shop.
    `https://${redirect.host} ${redirect.origin}`,
  );
}

/** Says why a request is not shown. */
export function renderGrantRefusal(headline: string, text: string): Page {
  return buildPage(headline, html`<h1>${headline}</h1><p>${text}</p>`, "'none'");
}

function buildPage(title: string, main: Html, formAction: string): Page {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trustHtml(style)}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  return {
    html: document.html,
    headers: {
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
        'img-src data:',
        "base-uri 'none'",
        `form-action ${formAction}`,
        "frame-ancestors 'none'",
      ].join('; '),
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      // With none at all a browser would not say that the form comes from here.
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    },
  };
}

function readOwnFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
