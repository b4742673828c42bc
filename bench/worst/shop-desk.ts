import { createHash, randomBytes } from 'node:crypto';
import { merchantKeyLimits } from '@coinfront/api/merchant-keys.ts';
import { paymentLimits } from '@coinfront/api/payments.ts';
import { refundLimits } from '@coinfront/api/refunds.ts';
import { webhookEndpointLimits } from '@coinfront/api/webhook-endpoints.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { HDKey } from '@scure/bip32';
import { createRandom } from '../chain/random.ts';
import { AMOUNT, makeAddress } from '../payments/open-payments.ts';
import type { LargeShop } from './large-shop.ts';
import type { Fresh, FreshOfRoutes } from './list-requests.ts';
import type { ServiceClient } from './service-client.ts';

/** What a large shop has besides its payments, by its own calls; and what requests to it use up. */
export type ShopDesk = {
  keyIds: string[];
  webhookIds: string[];
  deliveryIds: string[];
  /** An open refund of the payment with 20,000 outputs. */
  refundId: string;
  fresh: FreshOfRoutes;
};

const base = '/api/v1';
const POOL = 5_000;
/** So many places are left for those that requests make. */
const FREE_PLACES = 12;
const REFUND_AMOUNT = '0.00006000';
const PAGE = 100;

/**
 * Waits until the payments are judged and told, and makes the rest: a pool of 5,000 addresses, keys and webhooks up to a few places
 * below their bounds, refunds up to theirs.
 *
 * @param webhookUrl of a receiver that takes whatever comes
 */
export async function openShopDesk(
  client: ServiceClient,
  shop: LargeShop,
  { profile, webhookUrl }: { profile: CoinProfile; webhookUrl: string },
): Promise<ShopDesk> {
  const random = createRandom(37);
  const newAddress = () => makeAddress(random).address;
  const newAddresses = () => Array.from({ length: paymentLimits.importSize }, newAddress);
  const last = shop.overpaidIds.at(-1)!;
  for (const id of [last, shop.muchPaidId])
    await client.waitFor(
      'a payment is overpaid',
      `${base}/payments/${id}`,
      ({ status }) => status === 'overpaid',
    );
  await client.waitFor(
    'all events are told',
    `${base}/merchant/deliveries?state=pending&limit=1`,
    ({ items }) => items.length === 0,
  );
  for (let imported = 0; imported < POOL; imported += paymentLimits.importSize)
    await client.send('POST', `${base}/merchant/addresses`, { addresses: newAddresses() });
  const makeKey = async () =>
    (await client.send('POST', `${base}/merchant/keys`, { name: 'Till', scope: 'create' })).id as string;
  const makeWebhook = async () => {
    const url = `${webhookUrl}/${randomBytes(8).toString('hex')}`;
    // It gets what nothing here makes, so that one event does not become as many deliveries in the background.
    return (await client.send('POST', `${base}/merchant/webhooks`, { url, events: ['pool.exhausted'] }))
      .id as string;
  };
  const makeRefund = async (paymentId: string): Promise<string> => {
    const { refunds } = await client.send('POST', `${base}/payments/${paymentId}/refunds`, {
      amount: REFUND_AMOUNT,
      address: newAddress(),
    });
    return refunds.at(-1).id;
  };
  const repeat = async (count: number, make: () => Promise<string>): Promise<string[]> => {
    const made: string[] = [];
    while (made.length < count) made.push(await make());
    return made;
  };
  const keyIds = await repeat(merchantKeyLimits.count - FREE_PLACES, makeKey);
  const webhookIds = await repeat(webhookEndpointLimits.count - FREE_PLACES, makeWebhook);
  const [refundId] = await repeat(refundLimits.ofPayment, () => makeRefund(shop.muchPaidId));
  const { items: deliveries } = await client.send('GET', `${base}/merchant/deliveries?limit=${PAGE}`);

  const overpaid = createSupply('overpaid payments', shop.overpaidIds);
  const underpaid = createSupply('underpaid payments', shop.underpaidIds);
  const delivered = createSupply(
    'deliveries',
    deliveries.map(({ id }: { id: string }) => id),
  );
  /** Where a list has more than so many, deletes all but those that stay. */
  const cut = async (path: string, kept: readonly string[], above: number): Promise<void> => {
    const { items } = await client.send('GET', `${base}${path}?limit=${PAGE}`);
    if (items.length <= above) return;
    for (const { id, name } of items as { id: string; name?: string | null }[]) {
      // The operator's key has no name.
      if (!kept.includes(id) && name !== null) await client.send('DELETE', `${base}${path}/${id}`);
    }
  };
  const makeFreshRefund = async () => {
    const payment_id = overpaid();
    return { values: { payment_id, refund_id: await makeRefund(payment_id) } };
  };
  const ofPayment = (name: string, take: () => string): Fresh => {
    return { name, make: async () => ({ values: { payment_id: take() } }) };
  };
  const account = HDKey.fromMasterSeed(createHash('sha256').update('worst').digest(), {
    private: profile.extendedPrivateVersion,
    public: profile.extendedPublicVersion,
  }).derive("m/84'/1'/0'").publicExtendedKey;
  let derived = 0;
  const count = paymentLimits.importSize;
  const refund = 'POST /api/v1/payments/{payment_id}/refunds';
  const fresh: FreshOfRoutes = {
    'POST /api/v1/payments/{payment_id}/cancel': [
      {
        name: 'an open payment',
        async make() {
          const asked = { amount: AMOUNT, recipient: newAddress() };
          return { values: { payment_id: (await client.send('POST', `${base}/payments`, asked)).id } };
        },
      },
    ],
    'POST /api/v1/payments': [
      {
        name: 'a new recipient',
        make: async () => ({ body: { amount: AMOUNT, recipient: newAddress(), order_id: '10023' } }),
      },
    ],
    'POST /api/v1/payments/{payment_id}/accept': [ofPayment('an underpaid payment', underpaid)],
    [refund]: [ofPayment('an overpaid payment', overpaid)],
    [`${refund}/{refund_id}/transaction`]: [
      {
        name: 'a refund of 20,000 outputs',
        make: async () => ({ values: { payment_id: shop.muchPaidId, refund_id: refundId! } }),
      },
    ],
    [`${refund}/{refund_id}/sent`]: [
      { name: 'an open refund', make: makeFreshRefund },
      {
        name: 'an open refund, an unknown transaction',
        make: async () => ({
          ...(await makeFreshRefund()),
          body: { txid: randomBytes(32).toString('hex') },
        }),
      },
    ],
    [`${refund}/{refund_id}/cancel`]: [{ name: 'an open refund', make: makeFreshRefund }],
    'POST /api/v1/payments/{payment_id}/resolve': [ofPayment('an overpaid payment', overpaid)],
    'DELETE /api/v1/payments/{payment_id}/refund-address': [ofPayment('an overpaid payment', overpaid)],
    'POST /api/v1/merchant/keys': [
      {
        name: 'a place that is free',
        async make() {
          await cut('/merchant/keys', keyIds, keyIds.length);
          return { body: { name: 'Till', scope: 'create' } };
        },
      },
    ],
    'DELETE /api/v1/merchant/keys/{key_id}': [
      {
        name: 'a key',
        async make() {
          await cut('/merchant/keys', keyIds, merchantKeyLimits.count - 1);
          return { values: { key_id: await makeKey() } };
        },
      },
    ],
    'POST /api/v1/merchant/webhooks': [
      {
        name: 'a place that is free',
        async make() {
          await cut('/merchant/webhooks', webhookIds, webhookIds.length);
          return { body: { url: `${webhookUrl}/${randomBytes(8).toString('hex')}` } };
        },
      },
    ],
    'DELETE /api/v1/merchant/webhooks/{webhook_id}': [
      {
        name: 'a webhook',
        async make() {
          await cut('/merchant/webhooks', webhookIds, webhookEndpointLimits.count - 1);
          return { values: { webhook_id: await makeWebhook() } };
        },
      },
    ],
    'POST /api/v1/merchant/deliveries/{delivery_id}/redeliver': [
      { name: 'a delivery that ended', make: async () => ({ values: { delivery_id: delivered() } }) },
    ],
    'POST /api/v1/merchant/addresses': [
      { name: 'new addresses', make: async () => ({ body: { addresses: newAddresses() } }) },
      {
        name: 'a key and a range',
        async make() {
          derived += count;
          return { body: { xpub: account, from: derived - count, count } };
        },
      },
    ],
    'POST /api/v1/merchant/addresses/remove': [
      {
        name: 'addresses of the pool',
        async make() {
          const addresses = newAddresses();
          await client.send('POST', `${base}/merchant/addresses`, { addresses });
          return { body: { addresses } };
        },
      },
    ],
  };
  return {
    keyIds,
    webhookIds,
    deliveryIds: deliveries.slice(0, 2).map(({ id }: { id: string }) => id),
    refundId: refundId!,
    fresh,
  };
}

/** Gives one after the other. @throws Error where all were given: more have to be made */
export function createSupply(name: string, all: readonly string[]): () => string {
  let next = 0;
  return () => {
    const taken = all[next++];
    if (taken === undefined) throw new Error(`All ${all.length} ${name} were used up.`);
    return taken;
  };
}
