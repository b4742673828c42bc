import { randomBytes } from 'node:crypto';
import { checkoutLimits } from '@coinfront/api/checkout.ts';
import { createRandom } from '../chain/random.ts';
import { makeAddress } from '../payments/open-payments.ts';
import type { LargeShop } from './large-shop.ts';
import { type FreshOfRoutes, formBody } from './list-requests.ts';
import type { ServiceClient } from './service-client.ts';
import { createSupply } from './shop-desk.ts';

/** Webhooks as a shop's plugin sets them up, and what requests of payers and plugins use up. */
export type PluginDesk = { webhookIds: string[]; fresh: FreshOfRoutes };

/** In the URLs of webhooks that requests make. */
const FRESH = 'worst-fresh';
const NAMES_OF_KEYS = 'Plugin';

/**
 * Gives the checkout page the largest mark and all origins that it may have, and makes a webhook under BTCPay's interface.
 *
 * @param client with the merchant's key in both of its headers
 */
export async function openPluginDesk(
  client: ServiceClient,
  shop: Pick<LargeShop, 'merchantId' | 'apiKey' | 'overpaidIds' | 'underpaidIds'>,
  { webhookUrl }: { webhookUrl: string },
): Promise<PluginDesk> {
  const webhooks = `/btcpay/api/v1/stores/${shop.merchantId}/webhooks`;
  const invoices = `/btcpay/api/v1/stores/${shop.merchantId}/invoices`;
  const random = createRandom(41);
  await client.send('PUT', '/api/v1/merchant/checkout', {
    name: 'W'.repeat(checkoutLimits.nameLength),
    mark: makeMark().toString('base64'),
    embed_origins: Array.from({ length: checkoutLimits.embedOrigins }, (_, i) => `https://shop${i}.example`),
  });
  const makeWebhook = async (name: string): Promise<string> => {
    const authorizedEvents = { everything: false, specificEvents: [] };
    const url = `${webhookUrl}/${name}-${randomBytes(8).toString('hex')}`;
    return (await client.send('POST', webhooks, { url, authorizedEvents })).id;
  };
  const dropFresh = async (): Promise<void> => {
    for (const { id, url } of await client.send('GET', webhooks))
      if (url.includes(FRESH)) await client.send('DELETE', `${webhooks}/${id}`);
  };
  const dropKeys = async (): Promise<void> => {
    const { items } = await client.send('GET', '/api/v1/merchant/keys?limit=100');
    for (const { id, name } of items)
      if (name === NAMES_OF_KEYS) await client.send('DELETE', `/api/v1/merchant/keys/${id}`);
  };
  const webhookId = await makeWebhook('worst');

  const underpaid = createSupply('underpaid payments', shop.underpaidIds.toReversed());
  const overpaid = createSupply('overpaid payments', shop.overpaidIds.toReversed());
  const ofStore = { storeId: shop.merchantId };
  const store = '/btcpay/api/v1/stores/{storeId}';
  return {
    webhookIds: [webhookId],
    fresh: {
      'POST /pay/{payment_id}/refund-address': [
        {
          name: 'a new address',
          hasBody: true,
          async make() {
            const payment_id = overpaid();
            await client.send('DELETE', `/api/v1/payments/${payment_id}/refund-address`);
            return {
              values: { payment_id },
              sent: formBody('a new address', `address=${makeAddress(random).address}`),
            };
          },
        },
      ],
      [`POST ${store}/invoices/{invoiceId}/status`]: [
        {
          name: 'an underpaid invoice, settled',
          hasBody: true,
          make: async () => ({ values: { ...ofStore, invoiceId: underpaid() }, body: { status: 'Settled' } }),
        },
        {
          name: 'a new invoice, closed',
          hasBody: true,
          async make() {
            const { id } = await client.send('POST', invoices, { amount: '0.0001' });
            return { values: { ...ofStore, invoiceId: id }, body: { status: 'Invalid' } };
          },
        },
      ],
      [`POST ${store}/webhooks`]: [
        {
          name: 'a place that is free',
          hasBody: true,
          async make() {
            await dropFresh();
            return {
              values: ofStore,
              body: { url: `${webhookUrl}/${FRESH}-${randomBytes(8).toString('hex')}` },
            };
          },
        },
      ],
      [`DELETE ${store}/webhooks/{webhookId}`]: [
        {
          name: 'a webhook',
          async make() {
            await dropFresh();
            return { values: { ...ofStore, webhookId: await makeWebhook(FRESH) } };
          },
        },
      ],
      'POST /btcpay/api-keys/authorize': [
        {
          name: 'a key that is granted',
          hasBody: true,
          async make() {
            await dropKeys();
            const fields = { permissions: 'btcpay.store.canviewinvoices', applicationName: NAMES_OF_KEYS };
            const form = new URLSearchParams({ ...fields, key: shop.apiKey });
            return { sent: formBody('a key that is granted', form.toString()) };
          },
        },
      ],
    },
  };
}

/** A PNG of as many bytes as a mark may have: what it shows is never looked at here. */
function makeMark(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(checkoutLimits.markPixels, 0);
  header.writeUInt32BE(checkoutLimits.markPixels, 4);
  const around = [
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IEND', Buffer.alloc(0)),
  ];
  const room = checkoutLimits.markBytes - around.reduce((sum, { length }) => sum + length, 0) - 12;
  return Buffer.concat([around[0]!, around[1]!, chunk('IDAT', randomBytes(room)), around[2]!]);
}
