/** What plugins for shops send to BTCPay, and what they look at of the answers. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { expect } from 'vitest';
import type { ReceivedRequest } from '../harness/receiver.ts';

/** An answer as the library of the plugins takes it: anything but 200 is an exception. */
// Tests read answers of many shapes, and a wrong field fails their expectation.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type PluginAnswer = { status: number; body: any };

/** A plugin with a key, as its library calls the server whose address a shopkeeper entered. */
export type Plugin = {
  request(method: string, path: string, body?: unknown): Promise<PluginAnswer>;
  /** The same, where the plugin could not go on without success. */
  call(method: string, path: string, body?: unknown): Promise<PluginAnswer['body']>;
};

/** Every request announces JSON, also those without a body. */
export function createPlugin(baseUrl: string, apiKey: string): Plugin {
  const request = async (method: string, path: string, body?: unknown): Promise<PluginAnswer> => {
    const response = await fetch(`${baseUrl}/api/v1/${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        Authorization: `token ${apiKey}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    request,
    async call(method, path, body) {
      const answer = await request(method, path, body);
      expect(answer, `${method} ${path}`).toMatchObject({ status: 200 });
      return answer.body;
    },
  };
}

/** What a plugin is sent by the form of the shopkeeper's browser. */
export type PostedKey = { apiKey: string; userId: string; permissions: string[]; target: string };

/** Goes through the page that grants a key, as a browser does, with the key that the merchant types in. */
export async function takeKey(
  baseUrl: string,
  request: { permissions: readonly string[]; applicationName: string; redirect: string },
  typedKey: string,
): Promise<PostedKey> {
  const query = [
    ...request.permissions.map((name) => `permissions=${encodeURIComponent(name)}`),
    `applicationName=${encodeURIComponent(request.applicationName)}`,
    'strict=true',
    'selectiveStores=true',
    `redirect=${encodeURIComponent(request.redirect)}`,
  ].join('&');
  const shown = await fetch(`${baseUrl}/api-keys/authorize?${query}`);
  expect(shown.status).toBe(200);
  const form = new URLSearchParams(readFields(await shown.text()));
  form.append('key', typedKey);
  const sent = await fetch(`${baseUrl}/api-keys/authorize`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: new URL(baseUrl).origin,
      'Sec-Fetch-Site': 'same-origin',
    },
    body: form.toString(),
  });
  const page = await sent.text();
  expect([sent.status, page]).toEqual([200, expect.stringContaining('apiKey')]);
  const fields = readFields(page);
  const find = (name: string) => fields.find(([each]) => each === name)![1];
  return {
    apiKey: find('apiKey'),
    userId: find('userId'),
    permissions: fields.filter(([name]) => name === 'permissions[]').map(([, value]) => value),
    target: decodeEntities(/<form method="post" action="([^"]*)"/.exec(page)![1]!),
  };
}

/** Names and values of the hidden fields of a page, in their order. */
export function readFields(page: string): [string, string][] {
  return [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name, value]) => [decodeEntities(name!), decodeEntities(value!)],
  );
}

function decodeEntities(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(#?\w+);/g, (_, name: string) => entities[name]!);
}

/** What the plugin for WooCommerce checks of a key: one store, and these permissions, but for two that may be there. */
export function isGoodForWooCommerce(permissions: readonly string[]): boolean {
  const stores = new Set(permissions.map((each) => each.split(':')[1]));
  const names = permissions
    .map((each) => each.split(':')[0]!)
    .filter((name) => !wooCommerce.optional.includes(name));
  return (
    stores.size === 1 &&
    !stores.has(undefined) &&
    names.length === wooCommerce.required.length &&
    wooCommerce.required.every((name) => names.includes(name))
  );
}

export const wooCommerce = {
  required: [
    'btcpay.store.canviewinvoices',
    'btcpay.store.cancreateinvoice',
    'btcpay.store.canviewstoresettings',
    'btcpay.store.canmodifyinvoices',
  ],
  optional: ['btcpay.store.cancreatenonapprovedpullpayments', 'btcpay.store.webhooks.canmodifywebhooks'],
  events: [
    'InvoiceReceivedPayment',
    'InvoicePaymentSettled',
    'InvoiceProcessing',
    'InvoiceExpired',
    'InvoiceSettled',
    'InvoiceInvalid',
  ],
};

/** What PrestaShop's compares with, and Magento's: all of them and no other. */
export const prestaShopPermissions = [
  'btcpay.store.canmodifystoresettings',
  'btcpay.store.webhooks.canmodifywebhooks',
  'btcpay.store.canviewstoresettings',
  'btcpay.store.cancreateinvoice',
  'btcpay.store.canviewinvoices',
  'btcpay.store.canmodifyinvoices',
];
export const magentoPermissions = [
  'btcpay.store.canviewinvoices',
  'btcpay.store.cancreateinvoice',
  'btcpay.store.webhooks.canmodifywebhooks',
  'btcpay.store.canviewstoresettings',
  'btcpay.store.canmodifyinvoices',
];

/** The checkout options that the plugins' library always sends whole. */
export function checkoutOptions(given: Record<string, unknown>): Record<string, unknown> {
  return {
    speedPolicy: null,
    paymentMethods: null,
    expirationMinutes: null,
    monitoringMinutes: null,
    paymentTolerance: null,
    redirectURL: null,
    redirectAutomatically: null,
    defaultLanguage: null,
    ...given,
  };
}

/** Whether a webhook is signed with a secret, as the plugins' library finds out. */
export function isSigned({ headers, body }: ReceivedRequest, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(String(headers['btcpay-sig']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
