/** Bad input for what BTCPay's interface answers. It has no document, so its routes are named here. */

import { btcpayLimits } from '@coinfront/api/btcpay.ts';
import {
  type HostileRequest,
  headerTexts,
  hostileBodies,
  hostileJson,
  hostileTexts,
} from './hostile-requests.ts';
import type { HostileAnswer } from './send-hostile.ts';

/** What the server at hand knows. */
export type KnownOfShop = { apiKey: string; storeId: string; invoiceId: string; webhookId: string };

type Route = { method: string; path: string; query?: readonly string[]; body?: object };

const ofStore = '/api/v1/stores/{storeId}';
const ofInvoice = `${ofStore}/invoices/{invoiceId}`;
const ofWebhook = `${ofStore}/webhooks/{webhookId}`;
const invoice = {
  amount: '0.01',
  currency: null,
  metadata: { orderId: '7', itemDesc: 'Tea', note: 'x' },
  checkout: {
    speedPolicy: 'MediumSpeed',
    paymentMethods: [],
    expirationMinutes: 15,
    paymentTolerance: 1,
    redirectURL: 'https://shop.example/{OrderId}/{InvoiceId}',
  },
};
const webhook = {
  url: 'https://shop.example/hook',
  enabled: true,
  automaticRedelivery: true,
  secret: 'secret',
  authorizedEvents: { everything: false, specificEvents: ['InvoiceSettled'] },
};
const listQuery = [
  ...['orderId', 'status', 'startDate', 'endDate', 'skip', 'take', 'includePaymentMethods', 'textSearch'],
  '__proto__',
];

const routes: readonly Route[] = [
  { method: 'GET', path: '/api/v1/server/info' },
  { method: 'GET', path: '/api/v1/api-keys/current' },
  { method: 'GET', path: '/api/v1/stores' },
  { method: 'GET', path: ofStore },
  { method: 'GET', path: `${ofStore}/payment-methods` },
  { method: 'GET', path: `${ofStore}/invoices`, query: listQuery },
  { method: 'POST', path: `${ofStore}/invoices`, body: invoice },
  { method: 'GET', path: ofInvoice, query: ['includePaymentMethods'] },
  { method: 'GET', path: `${ofInvoice}/payment-methods` },
  { method: 'POST', path: `${ofInvoice}/status`, body: { status: 'Invalid' } },
  { method: 'GET', path: `${ofStore}/webhooks` },
  { method: 'POST', path: `${ofStore}/webhooks`, body: webhook },
  { method: 'GET', path: ofWebhook },
  { method: 'PUT', path: ofWebhook, body: webhook },
  { method: 'DELETE', path: ofWebhook },
];

const grantFields = ['permissions', 'applicationName', 'redirect', 'strict', 'selectiveStores', 'key'];

/** All hostile requests for what is under `prefix`. */
export function* makeHostileShopRequests(prefix: string, known: KnownOfShop): Generator<HostileRequest> {
  for (const route of routes) {
    yield* makeStrangerRequests(prefix, route, known);
    yield* makeTextRequests(prefix, route, known);
    if (route.body !== undefined) yield* makeBodyRequests(prefix, route, route.body, known);
  }
  for (const text of hostileTexts) {
    for (const page of ['i', 'invoices']) yield describe('GET', `${prefix}/${page}/${text}`, 'refused');
  }
  yield* makeGrantRequests(`${prefix}/api-keys/authorize`);
}

/** Says what is wrong with a refusal: JSON of a code and a message or of fields, or else a page, or a problem of where no route is. */
export function judgeShopRefusal({ headers, body }: HostileAnswer): string | undefined {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/html')) return body === '' ? 'has no text' : undefined;
  if (!/^application\/(problem\+)?json/.test(type)) return `has the content type ${type}`;
  const told = [JSON.parse(body)].flat() as Record<string, unknown>[];
  const isTold = told.every(({ code, path, message, detail }) => (code ?? path) && (message ?? detail));
  return told.length > 0 && isTold ? undefined : 'does not say what is wrong';
}

function* makeStrangerRequests(
  prefix: string,
  { method, path }: Route,
  known: KnownOfShop,
): Generator<HostileRequest> {
  const filled = prefix + fill(path, known);
  yield describe(method, filled, 'refused');
  for (const text of headerTexts) {
    for (const authorization of [text, `token ${text}`, `Basic ${text}`]) {
      yield describe(method, filled, 'refused', { headers: { authorization } });
    }
  }
}

function* makeTextRequests(
  prefix: string,
  { method, path, query = [], body }: Route,
  known: KnownOfShop,
): Generator<HostileRequest> {
  const base = { headers: headersFor(known), body: body && Buffer.from(JSON.stringify(body)) };
  for (const text of hostileTexts) {
    for (const name of ['storeId', 'invoiceId', 'webhookId'].filter((each) => path.includes(`{${each}}`))) {
      // An empty part makes another path.
      const expect = text === '' ? 'any' : 'refused';
      yield describe(method, prefix + fill(path, { ...known, [name]: text }), expect, base);
    }
    for (const name of query) {
      const asked = `${prefix}${fill(path, known)}?${name}=`;
      yield describe(method, asked + text, 'any', base);
      yield describe(method, `${asked}${text}&${name}=${text}`, 'any', base);
      const many = `&${name}=${text.slice(0, 9)}`.repeat(btcpayLimits.filterLength);
      yield describe(method, asked + many, 'any', base);
    }
  }
}

function* makeBodyRequests(
  prefix: string,
  { method, path }: Route,
  good: object,
  known: KnownOfShop,
): Generator<HostileRequest> {
  const filled = prefix + fill(path, known);
  const headers = headersFor(known);
  for (const body of hostileBodies()) yield describe(method, filled, 'refused', { headers, body });
  for (const value of changeOne(good)) {
    yield describe(method, filled, 'any', { headers, body: Buffer.from(JSON.stringify(value)) });
  }
}

/** An object with one of its fields changed, at any depth. */
function* changeOne(good: object): Generator<object> {
  for (const [name, value] of Object.entries(good)) {
    for (const other of hostileJson) yield { ...good, [name]: other };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const inner of changeOne(value)) yield { ...good, [name]: inner };
  }
  for (const other of hostileJson) yield { ...good, '\0\ud800': other };
}

function* makeGrantRequests(path: string): Generator<HostileRequest> {
  const good = 'permissions=btcpay.store.canviewinvoices&redirect=https%3A%2F%2Fshop.example%2F';
  for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/html']) {
    const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
    for (const body of hostileBodies()) yield describe('POST', path, 'refused', { headers, body });
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  for (const name of grantFields) {
    for (const text of hostileTexts) {
      const fields = `${good.replace(new RegExp(`&?${name}=[^&]*`), '')}&${name}=${text}`;
      yield describe('GET', `${path}?${fields}`, 'any');
      yield describe('POST', path, 'refused', { headers, body: Buffer.from(fields) });
    }
  }
}

function headersFor({ apiKey }: KnownOfShop): Record<string, string> {
  return { authorization: `token ${apiKey}`, 'content-type': 'application/json' };
}

function fill(path: string, known: Omit<KnownOfShop, 'apiKey'>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: keyof typeof known) => known[name]);
}

function describe(
  method: string,
  path: string,
  expect: HostileRequest['expect'],
  { headers = {}, body }: { headers?: Record<string, string>; body?: Buffer | undefined } = {},
): HostileRequest {
  return { what: body?.subarray(0, 100).toString() ?? 'no body', method, path, headers, body, expect };
}
