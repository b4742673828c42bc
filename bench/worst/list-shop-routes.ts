import { btcpayLimits, invoiceStatuses } from '@coinfront/api/btcpay.ts';
import type { LargeShop } from './large-shop.ts';
import {
  type FreshOfRoutes,
  formBody,
  jsonBody,
  type RequestBody,
  type SearchedRoute,
} from './list-requests.ts';

type Values = Readonly<Record<string, readonly (string | undefined)[]>>;
type Asked = { readonly values?: Values; readonly bodies?: readonly RequestBody[] };

const METADATA_CHARS = 4_000;
/** A little below what a body of this interface may have: 16 KiB. */
const KEYS = 1_600;
const FIELDS = 1_300;

/**
 * The routes that have no OpenAPI document: the payer's page with its form, and BTCPay's interface for shops.
 *
 * @param fresh what requests to them use up
 */
export function listShopRoutes(
  shop: Pick<LargeShop, 'merchantId' | 'muchPaidId' | 'openIds' | 'overpaidIds'> & {
    webhookIds: readonly string[];
  },
  fresh: FreshOfRoutes,
): SearchedRoute[] {
  const route = (method: string, path: string, { values = {}, bodies = [] }: Asked = {}): SearchedRoute => {
    const name = `${method} ${path}`;
    return { name, method, path, values: new Map(Object.entries(values)), bodies, fresh: fresh[name] ?? [] };
  };
  const ids = [shop.muchPaidId, shop.overpaidIds[0]!, shop.openIds[0]!, 'VP-000000000000'];
  const languages = [undefined, 'de', 'xx'];
  const api = '/btcpay/api/v1';
  const store = `${api}/stores/{storeId}`;
  const ofStore = { storeId: [shop.merchantId] };
  const ofInvoice = { ...ofStore, invoiceId: ids };
  const ofWebhook = { ...ofStore, webhookId: [...shop.webhookIds.slice(0, 2), `whk_${'0'.repeat(20)}`] };
  const booleans = [undefined, 'true'];
  const grant = {
    permissions: ['btcpay.store.canviewinvoices', 'none'],
    applicationName: [undefined, 'n'.repeat(METADATA_CHARS)],
    redirect: [undefined, `https://shop.example/${'r'.repeat(1_900)}`, 'no URL'],
  };
  return [
    route('GET', '/pay/{payment_id}', { values: { payment_id: ids, lang: languages } }),
    route('POST', '/pay/{payment_id}/refund-address', {
      values: { payment_id: ids },
      bodies: [formBody('no address', 'address=nowhere')],
    }),
    route('GET', `${api}/health`),
    route('GET', `${api}/server/info`),
    route('GET', `${api}/api-keys/current`),
    route('GET', `${api}/stores`),
    route('GET', store, { values: ofStore }),
    route('GET', `${store}/payment-methods`, { values: ofStore }),
    route('POST', `${store}/invoices`, { values: ofStore, bodies: listInvoices() }),
    route('GET', `${store}/invoices`, {
      values: {
        ...ofStore,
        take: [undefined, String(btcpayLimits.take.max), '1'],
        skip: [undefined, '6500', String(btcpayLimits.skip)],
        status: [undefined, ...invoiceStatuses],
        orderId: [undefined, '10023', 'none'],
        includePaymentMethods: booleans,
      },
    }),
    route('GET', `${store}/invoices/{invoiceId}`, {
      values: { ...ofInvoice, includePaymentMethods: booleans },
    }),
    route('GET', `${store}/invoices/{invoiceId}/payment-methods`, { values: ofInvoice }),
    route('POST', `${store}/invoices/{invoiceId}/status`, {
      values: ofInvoice,
      bodies: ['Settled', 'Invalid', 'x'].map((status) => json(status, { status })),
    }),
    route('GET', `${store}/webhooks`, { values: ofStore }),
    route('GET', `${store}/webhooks/{webhookId}`, { values: ofWebhook }),
    route('POST', `${store}/webhooks`, { values: ofStore, bodies: listWebhooks() }),
    route('PUT', `${store}/webhooks/{webhookId}`, { values: ofWebhook, bodies: listWebhooks() }),
    route('DELETE', `${store}/webhooks/{webhookId}`, { values: ofWebhook }),
    route('GET', '/btcpay/api-keys/authorize', { values: grant }),
    route('POST', '/btcpay/api-keys/authorize', {
      bodies: [
        formBody('an unknown key', 'permissions=btcpay.store.canviewinvoices&key=cfk_none'),
        formBody('many permissions', `permissions=${'&permissions='.repeat(1_000)}`),
        formBody('many fields', Array.from({ length: FIELDS }, (_, i) => `k${i}=%C3%A4`).join('&')),
      ],
    }),
    route('GET', '/btcpay/i/{invoiceId}', { values: { invoiceId: ids } }),
    route('GET', '/btcpay/invoices/{invoiceId}', { values: { invoiceId: ids } }),
  ];
}

function listInvoices(): RequestBody[] {
  const metadata = { orderId: '10023', itemDesc: 'i'.repeat(500), note: 'n'.repeat(METADATA_CHARS - 600) };
  const many = Array.from({ length: btcpayLimits.listLength }, () => 'none');
  return [
    json('an invoice', { amount: '0.0001', metadata }),
    json('an invoice of many numbers', {
      amount: 1e-4,
      metadata: { n: Array.from({ length: 800 }, (_, i) => i / 7) },
    }),
    json('ways to pay that are none', { amount: '1', checkout: { paymentMethods: many } }),
    manyKeys(),
  ];
}

function listWebhooks(): RequestBody[] {
  const url = 'https://127.0.0.1/btcpay-worst';
  const specificEvents = Array.from({ length: btcpayLimits.listLength }, () => 'InvoiceSettled');
  return [
    json('a webhook', { url, enabled: false, authorizedEvents: { everything: false, specificEvents } }),
    json('a URL that is none', { url: `https://${'a.'.repeat(990)}` }),
    manyKeys(),
  ];
}

function manyKeys(): RequestBody {
  return json('many keys', Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`k${i}`, 0])));
}

function json(name: string, body: object): RequestBody {
  return jsonBody(name, JSON.stringify(body));
}
