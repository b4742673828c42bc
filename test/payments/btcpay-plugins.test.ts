import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin, send } from '../harness/raw-coins.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestService } from '../harness/service.ts';
import { testProfile } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';
import {
  checkoutOptions,
  createPlugin,
  isGoodForWooCommerce,
  isSigned,
  magentoPermissions,
  type Plugin,
  prestaShopPermissions,
  takeKey,
  wooCommerce,
} from './shop-plugin.ts';

const { ticker } = testProfile;
const method = `${ticker}-CHAIN`;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 9_000;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 30, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('plugins of shops', (engine) => {
  let suite: DeskSuite;
  let location: DatabaseLocation;
  let service: TestService;
  let desk: PaymentDesk;
  let merchant: TestMerchant;
  let base = '';
  let folder = '';
  /** Owners of the addresses of the pool. */
  const owners = new Map<string, number>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coinfront-shop-'));
    await writeFile(join(folder, 'house.json'), JSON.stringify({ EUR: '5000' }));
    await writeFile(
      join(folder, 'rates.json'),
      JSON.stringify({ sources: [{ name: 'house', file: 'house.json' }] }),
    );
    suite = await openDeskSuite(engine, node.url, {
      COINFRONT_WEBHOOK_ALLOW: 'loopback',
      COINFRONT_RATES: join(folder, 'rates.json'),
    });
    ({ database: location, service, desk } = suite);
    merchant = await suite.createMerchant();
    base = `${service.origin}/btcpay`;
  });
  afterAll(async () => {
    await suite.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function fillPool(count: number): Promise<void> {
    const addresses = Array.from({ length: count }, () => {
      lastOwner += 1;
      owners.set(addressOfOwner(lastOwner), lastOwner);
      return addressOfOwner(lastOwner);
    });
    const { json } = await merchant.post('/api/v1/merchant/addresses', { addresses });
    expect(json.imported).toBe(count);
  }

  /** Pays an invoice into the mempool, as much as is said. */
  async function pay(plugin: Plugin, store: string, id: string, value: bigint) {
    const [{ destination }] = await plugin.call('GET', `stores/${store}/invoices/${id}/payment-methods`);
    return await send(node, payOwner(nextCoin(), owners.get(destination)!, value));
  }

  const typesOf = ({ received }: Receiver) =>
    received.map(({ body }) => JSON.parse(body.toString('utf8')).type as string);
  const bodiesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body.toString('utf8')));

  test('for WooCommerce: from the key to the order that is paid', async () => {
    const shop = await startReceiver();
    const hook = `http://127.0.0.1:${shop.port}/wc-api/btcpaygf_default/`;
    const granted = await takeKey(
      base,
      {
        permissions: [...wooCommerce.required, ...wooCommerce.optional],
        applicationName: 'WooCommerce',
        redirect: 'https://shop.example/?btcpay-settings-callback',
      },
      merchant.apiKey,
    );
    expect(granted.target).toBe('https://shop.example/?btcpay-settings-callback');
    expect(granted.apiKey).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(isGoodForWooCommerce(granted.permissions)).toBe(true);
    const [, store] = granted.permissions[0]!.split(':');
    expect(store).toBe(merchant.id);

    // The page to which the form is sent tries the key, and sets up the webhook.
    const plugin = createPlugin(base, granted.apiKey);
    expect(await plugin.call('GET', 'stores')).toHaveLength(1);
    expect(await plugin.call('GET', `stores/${store}/payment-methods`)).toEqual([]);
    await fillPool(4);
    const webhook = await plugin.call('POST', `stores/${store}/webhooks`, {
      enabled: true,
      automaticRedelivery: true,
      url: hook,
      authorizedEvents: { everything: false, specificEvents: wooCommerce.events },
    });
    expect(webhook).toMatchObject({ url: hook, enabled: true, secret: expect.stringMatching(/.{32}/) });

    // What saving the settings asks.
    const current = await plugin.call('GET', 'api-keys/current');
    expect(current.apiKey).toBe(granted.apiKey);
    expect(isGoodForWooCommerce(current.permissions)).toBe(true);
    const info = await plugin.call('GET', 'server/info');
    expect(info).toMatchObject({ fullySynched: true, version: expect.stringMatching(/^2\.0\.0/) });
    const kept = await plugin.call('GET', `stores/${store}/webhooks/${webhook.id}`);
    expect(kept).toMatchObject({ id: webhook.id, url: hook });
    expect(kept).not.toHaveProperty('secret');
    expect(await plugin.call('GET', `stores/${store}/payment-methods`)).toMatchObject([
      { paymentMethodId: method, enabled: true },
    ]);

    // A buyer goes to pay.
    const metadata = {
      taxIncluded: 0.19,
      posData: '{"WooCommerce":{"Order ID":42,"Order Number":"42","Plugin Version":"2.7.1"}}',
      orderUrl: 'https://shop.example/wp-admin/post.php?post=42&action=edit',
      orderId: '42',
    };
    const invoice = await plugin.call('POST', `stores/${store}/invoices`, {
      amount: '0.003',
      currency: ticker,
      metadata,
      checkout: checkoutOptions({
        paymentMethods: [method.replaceAll('-', '_')],
        redirectURL: 'https://shop.example/checkout/order-received/42/?key=wc_order_x',
        speedPolicy: 'MediumSpeed',
      }),
    });
    expect(invoice).toMatchObject({
      storeId: store,
      amount: '0.00300000',
      currency: ticker,
      status: 'New',
      additionalStatus: 'None',
      metadata,
      checkout: { speedPolicy: 'MediumSpeed', paymentMethods: [method] },
    });
    expect(Object.keys(invoice.metadata)).toEqual(Object.keys(metadata));
    expect((await fetch(invoice.checkoutLink)).status).toBe(200);
    expect((await fetch(`${base}/i/${invoice.id}`)).url).toBe(invoice.checkoutLink);
    // A buyer who comes back is sent to the same invoice unless it is over.
    const again = await plugin.call('GET', `stores/${store}/invoices/${invoice.id}`);
    expect(['Expired', 'Invalid']).not.toContain(again.status);

    const { txid } = await pay(plugin, store!, invoice.id, 300_000n);
    await shop.waitForRequests(2);
    await node.mine(1);
    await shop.waitForRequests(4);
    expect(typesOf(shop)).toEqual([
      'InvoiceReceivedPayment',
      'InvoiceProcessing',
      'InvoicePaymentSettled',
      'InvoiceSettled',
    ]);
    for (const request of shop.received) {
      expect(isSigned(request, webhook.secret)).toBe(true);
      expect(request.headers['content-type']).toBe('application/json');
    }
    const [received, processing, settledPayment, settled] = bodiesOf(shop);
    for (const body of bodiesOf(shop)) {
      expect(body).toMatchObject({
        webhookId: webhook.id,
        isRedelivery: false,
        storeId: store,
        invoiceId: invoice.id,
        metadata,
      });
      expect(body.originalDeliveryId).toBe(body.deliveryId);
      expect(Math.abs(body.timestamp - Date.now() / 1000)).toBeLessThan(300);
    }
    expect(received).toMatchObject({
      afterExpiration: false,
      payment: { id: `${txid}-0`, status: 'Processing' },
    });
    // The payment has the metadata; they are not stored again with each of its deliveries.
    const precious = await openBeside(location);
    const stored = await precious
      .query<PaymentTables>()
      .selectFrom('delivery')
      .select('body')
      .where('webhook_id', '=', webhook.id)
      .execute();
    await precious.close();
    expect(stored.length).toBeGreaterThanOrEqual(4);
    for (const { body } of stored) expect(body).not.toContain('metadata');
    expect(processing.overPaid).toBe(false);
    expect(settledPayment).toMatchObject({ afterExpiration: false, payment: { status: 'Settled' } });
    expect(settled).toMatchObject({ manuallyMarked: false, overPaid: false });

    // With every event the plugin keeps these as text with the order.
    const [paid] = await plugin.call('GET', `stores/${store}/invoices/${invoice.id}/payment-methods`);
    expect(paid).toMatchObject({
      paymentMethodId: method,
      rate: '1',
      amount: '0.00300000',
      totalPaid: '0.00300000',
      paymentMethodPaid: '0.00300000',
      due: '0.00000000',
      paymentMethodFee: '0.00000000',
      payments: [{ id: `${txid}-0`, value: '0.00300000', status: 'Settled', destination: paid.destination }],
    });
    expect(await plugin.call('GET', `stores/${store}/invoices/${invoice.id}`)).toMatchObject({
      status: 'Settled',
      additionalStatus: 'None',
      paidAmount: '0.00300000',
    });
    await shop.stop();
  });

  /** A shop that is set up: its plugin, the store, a receiver of all events. */
  async function openShop(permissions: readonly string[] = magentoPermissions) {
    const { apiKey, permissions: granted } = await takeKey(
      base,
      { permissions, applicationName: 'Shop', redirect: 'https://shop.example/callback' },
      merchant.apiKey,
    );
    const plugin = createPlugin(base, apiKey);
    const receiver = await startReceiver();
    const store = merchant.id;
    const webhook = await plugin.call('POST', `stores/${store}/webhooks`, {
      enabled: true,
      automaticRedelivery: true,
      url: `http://127.0.0.1:${receiver.port}/hook`,
      authorizedEvents: { everything: true },
    });
    const stop = async () => {
      await plugin.call('DELETE', `stores/${store}/webhooks/${webhook.id}`);
      await receiver.stop();
    };
    const order = (given: object = {}) =>
      plugin.call('POST', `stores/${store}/invoices`, {
        amount: '0.003',
        currency: ticker,
        checkout: checkoutOptions({ speedPolicy: 'MediumSpeed' }),
        ...given,
      });
    return { plugin, store, receiver, granted, webhook, stop, order };
  }

  test('for PrestaShop: its own secret, its secure key unchanged, the webhook removed', async () => {
    const { apiKey, permissions } = await takeKey(
      base,
      {
        permissions: prestaShopPermissions,
        applicationName: 'My shop',
        redirect: 'https://presta.example/admin/index.php?route=admin_btcpay_validate&_token=x%3D',
      },
      merchant.apiKey,
    );
    const names = permissions.map((each) => each.split(':')[0]);
    expect(names.sort()).toEqual([...prestaShopPermissions].sort());
    const plugin = createPlugin(base, apiKey);
    const store = permissions[0]!.split(':')[1];
    const secret = '5f4dcc3b5aa765d61d8327deb882cf995f4dcc3b5aa765d6';
    const webhook = await plugin.call('POST', `stores/${store}/webhooks`, {
      enabled: true,
      automaticRedelivery: true,
      url: 'https://presta.example/module/btcpay/webhook',
      authorizedEvents: { everything: true },
      secret,
    });
    expect(webhook.secret).toBe(secret);
    expect((await plugin.call('GET', `stores/${store}`)).name).toBe('Test shop');

    await fillPool(1);
    const reference = 'qL7xVb2mT9cRfJ4sWd8k';
    const metadata = {
      posData: 'c1b7a2d3e4f5061728394a5b6c7d8e9f',
      itemCode: `invoice-reference-${reference}`,
      itemDesc: 'Purchase from My shop',
      taxIncluded: '1.9',
      orderId: reference,
      buyerEmail: 'buyer@example.com',
    };
    const invoice = await plugin.call('POST', `stores/${store}/invoices`, {
      amount: '0.5',
      currency: ticker,
      metadata,
      checkout: checkoutOptions({
        speedPolicy: 'LowSpeed',
        redirectURL: `https://presta.example/module/btcpay/validation?invoice_reference=${reference}`,
      }),
    });
    const kept = await plugin.call('GET', `stores/${store}/invoices/${invoice.id}`);
    expect(kept.metadata).toEqual(metadata);
    expect(kept.checkout.speedPolicy).toBe('LowSpeed');
    expect((await service.get(`/api/v1/payments/${invoice.id}`)).json).toMatchObject({
      confirmations_required: 6,
      description: 'Purchase from My shop',
    });

    await plugin.call('DELETE', `stores/${store}/webhooks/${webhook.id}`);
    expect(await plugin.request('GET', `stores/${store}/webhooks/${webhook.id}`)).toMatchObject({
      status: 404,
      body: { code: 'webhook-not-found' },
    });
  });

  test('for Magento: exact permissions, lists by order, its own return address, marking', async () => {
    const { plugin, store, granted, webhook, receiver, order, stop } = await openShop();
    const { permissions } = await plugin.call('GET', 'api-keys/current');
    expect(permissions.sort()).toEqual(magentoPermissions.map((name) => `${name}:${store}`).sort());
    expect(granted.sort()).toEqual(permissions);
    expect(await plugin.call('GET', `stores/${store}/webhooks`)).toContainEqual(
      expect.objectContaining({
        id: webhook.id,
        url: webhook.url,
        enabled: true,
        automaticRedelivery: true,
        authorizedEvents: { everything: true, specificEvents: [] },
      }),
    );

    await fillPool(2);
    const metadata = { orderId: '000000042', magentoOrderId: '42', magentoStoreId: 1, physical: true };
    const invoice = await order({
      amount: '0.0030',
      metadata,
      checkout: checkoutOptions({
        redirectURL: 'https://magento.example/btcpay/redirect/invoiceId/{InvoiceId}/hash/ab49/',
        redirectAutomatically: true,
        defaultLanguage: 'de-DE',
      }),
    });
    expect(invoice.metadata).toEqual(metadata);
    expect(invoice.checkout.redirectURL).toBe(
      `https://magento.example/btcpay/redirect/invoiceId/${invoice.id}/hash/ab49/`,
    );
    const other = await order({ metadata: { orderId: '000000043' } });
    const listed = async (query: string) =>
      (await plugin.call('GET', `stores/${store}/invoices?${query}`)).map(({ id }: { id: string }) => id);
    expect(await listed('orderId=000000042')).toEqual([invoice.id]);
    expect(await listed('orderId=000000042&orderId=000000043')).toEqual([other.id, invoice.id]);
    expect(await listed('orderId=000000042&status=Settled&status=New')).toEqual([invoice.id]);
    expect(await listed('orderId=000000042&status=Settled')).toEqual([]);
    expect(await listed('orderId=000000042&orderId=000000043&skip=1&take=1')).toEqual([invoice.id]);

    // A shopkeeper closes one by hand; asked twice it is the same.
    for (const _ of [1, 2]) {
      const marked = await plugin.call('POST', `stores/${store}/invoices/${other.id}/status`, {
        status: 'Invalid',
      });
      expect(marked).toMatchObject({ status: 'Invalid', additionalStatus: 'Marked' });
    }
    await receiver.waitForRequests(3);
    expect(
      bodiesOf(receiver).map(({ type, invoiceId, manuallyMarked }) => [type, invoiceId, manuallyMarked]),
    ).toEqual([
      ['InvoiceCreated', invoice.id, undefined],
      ['InvoiceCreated', other.id, undefined],
      ['InvoiceInvalid', other.id, true],
    ]);
    // Nothing is settled that nothing came for.
    expect(
      await plugin.request('POST', `stores/${store}/invoices/${invoice.id}/status`, { status: 'Settled' }),
    ).toMatchObject({ status: 422, body: [{ path: 'status', message: expect.stringContaining('nothing') }] });
    await stop();
  });

  test('are told of too little, accepted by hand, and of what comes late', async () => {
    await fillPool(2);
    const { plugin, store, receiver, order, stop } = await openShop();
    const short = await order();
    await receiver.waitForRequests(1);
    await pay(plugin, store, short.id, 200_000n);
    await receiver.waitForRequests(2);
    expect(await plugin.call('GET', `stores/${store}/invoices/${short.id}`)).toMatchObject({
      status: 'New',
      additionalStatus: 'PaidPartial',
      paidAmount: '0.00200000',
      availableStatusesForManualMarking: ['Settled', 'Invalid'],
    });
    await plugin.call('POST', `stores/${store}/invoices/${short.id}/status`, { status: 'Settled' });
    await receiver.waitForRequests(3);
    await node.mine(1);
    await receiver.waitForRequests(5);
    expect(typesOf(receiver).slice(1)).toEqual([
      'InvoiceReceivedPayment',
      'InvoiceProcessing',
      'InvoicePaymentSettled',
      'InvoiceSettled',
    ]);
    expect(bodiesOf(receiver)[4]).toMatchObject({ manuallyMarked: true, overPaid: false });
    expect(await plugin.call('GET', `stores/${store}/invoices/${short.id}`)).toMatchObject({
      status: 'Settled',
      additionalStatus: 'Marked',
    });

    const late = await order();
    await receiver.waitForRequests(6);
    await desk.change(late.id, { expires_at: Date.now() - 1, check_at: Date.now() - 1 });
    await receiver.waitForRequests(7);
    expect(bodiesOf(receiver)[6]).toMatchObject({ type: 'InvoiceExpired', partiallyPaid: false });
    await pay(plugin, store, late.id, 300_000n);
    await receiver.waitForRequests(8);
    expect(bodiesOf(receiver)[7]).toMatchObject({ type: 'InvoiceReceivedPayment', afterExpiration: true });
    const stateOf = async () => {
      const { status, additionalStatus } = await plugin.call('GET', `stores/${store}/invoices/${late.id}`);
      return `${status} ${additionalStatus}`;
    };
    // Plugins take PaidLate for paid: it waits for the blocks that the shop asked for.
    expect(await stateOf()).toBe('Expired PaidPartial');
    await desk.waitForJudged((await node.mine(1))[0]!);
    expect(await stateOf()).toBe('Expired PaidLate');
    await stop();
  });

  test('get one event after another, in the order of what happened, however slow they are', async () => {
    await fillPool(1);
    let [underWay, most] = [0, 0];
    const slow = await startReceiver({
      answer: (response) => {
        // Whoever sends two at once has sent the second by now.
        setTimeout(() => {
          underWay -= 1;
          response.writeHead(200).end();
        }, 100);
        underWay += 1;
        most = Math.max(most, underWay);
      },
    });
    const plugin = createPlugin(base, merchant.apiKey);
    const { id: webhookId } = await plugin.call('POST', `stores/${merchant.id}/webhooks`, {
      url: `http://127.0.0.1:${slow.port}/hook`,
    });
    const { id } = await plugin.call('POST', `stores/${merchant.id}/invoices`, {
      amount: '0.003',
      checkout: { speedPolicy: 'MediumSpeed' },
    });
    await pay(plugin, merchant.id, id, 400_000n);
    await slow.waitForRequests(3);
    await node.mine(1);
    await slow.waitForRequests(5);
    expect(bodiesOf(slow).map(({ type, overPaid }) => [type, overPaid])).toEqual([
      ['InvoiceCreated', undefined],
      ['InvoiceReceivedPayment', undefined],
      ['InvoiceProcessing', true],
      ['InvoicePaymentSettled', undefined],
      ['InvoiceSettled', true],
    ]);
    expect(most).toBe(1);
    expect(await plugin.call('GET', `stores/${merchant.id}/invoices/${id}`)).toMatchObject({
      status: 'Settled',
      additionalStatus: 'PaidOver',
    });
    await plugin.call('DELETE', `stores/${merchant.id}/webhooks/${webhookId}`);
    await slow.stop();
  });

  test('are told when the chain takes a settled payment back, and when it settles again', async () => {
    await fillPool(1);
    const { plugin, store, receiver, order, stop } = await openShop();
    const { id } = await order();
    await pay(plugin, store, id, 300_000n);
    await receiver.waitForRequests(3);
    const [block] = await node.mine(1);
    await receiver.waitForRequests(5);
    await node.rpc('invalidateblock', block);
    // Its transaction waits in the mempool while another block takes the place of its own.
    await mineExactly(node, []);
    await mineExactly(node, []);
    await receiver.waitForRequests(6);
    expect(await plugin.call('GET', `stores/${store}/invoices/${id}`)).toMatchObject({
      status: 'Processing',
      additionalStatus: 'None',
    });
    await node.mine(1);
    await receiver.waitForRequests(8);
    expect(typesOf(receiver).slice(3)).toEqual([
      'InvoicePaymentSettled',
      'InvoiceSettled',
      'InvoiceProcessing',
      'InvoicePaymentSettled',
      'InvoiceSettled',
    ]);
    await stop();
  });

  test('sell for other money: the price is the invoice, the coins its way to pay', async () => {
    await fillPool(1);
    const plugin = createPlugin(base, merchant.apiKey);
    const invoice = await plugin.call('POST', `stores/${merchant.id}/invoices`, {
      amount: '19.900',
      currency: 'eur',
      checkout: { speedPolicy: 'MediumSpeed', paymentTolerance: 1.5 },
    });
    expect(invoice).toMatchObject({
      amount: '19.90',
      currency: 'EUR',
      paidAmount: '0.00',
      checkout: { paymentTolerance: 1.5 },
    });
    await pay(plugin, merchant.id, invoice.id, 398_000n);
    await node.mine(1);
    await desk.waitFor(invoice.id, 'paid');
    const [paid] = await plugin.call('GET', `stores/${merchant.id}/invoices/${invoice.id}/payment-methods`);
    // The plugin for PrestaShop notes what came, multiplied by the rate.
    expect(paid).toMatchObject({ rate: '5000', amount: '0.00398000', totalPaid: '0.00398000' });
    expect(await plugin.call('GET', `stores/${merchant.id}/invoices/${invoice.id}`)).toMatchObject({
      status: 'Settled',
      paidAmount: '19.90',
    });
    expect(
      await plugin.request('POST', `stores/${merchant.id}/invoices`, { amount: '1', currency: 'CHF' }),
    ).toMatchObject({ status: 422, body: [{ path: 'currency' }] });
  });

  test('that want no confirmation get one where the operator does not allow that for the amount', async () => {
    await fillPool(2);
    const plugin = createPlugin(base, merchant.apiKey);
    const speedOf = async (amount: string) => {
      const checkout = { speedPolicy: 'HighSpeed' };
      return (await plugin.call('POST', `stores/${merchant.id}/invoices`, { amount, checkout })).checkout
        .speedPolicy;
    };
    const most = testProfile.payments!.zeroConfMax;
    const { decimals } = testProfile;
    expect(await speedOf(formatAmount(most, decimals))).toBe('HighSpeed');
    expect(await speedOf(formatAmount(most + 1n, decimals))).toBe('MediumSpeed');
  });

  test('with an empty pool are told so, and that it has no wallet', async () => {
    const shop = await suite.createMerchant();
    const plugin = createPlugin(base, shop.apiKey);
    expect(await plugin.request('POST', `stores/${shop.id}/invoices`, { amount: '1' })).toMatchObject({
      status: 409,
      body: { code: 'pool-exhausted', message: expect.stringContaining('pool') },
    });
    expect(await plugin.call('GET', `stores/${shop.id}/payment-methods`)).toEqual([]);
  });

  test('work with a key of scope all and the identifier of the merchant, without the page', async () => {
    const plugin = createPlugin(base, merchant.apiKey);
    const { permissions } = await plugin.call('GET', 'api-keys/current');
    expect(isGoodForWooCommerce(permissions)).toBe(true);
    expect(permissions[0].split(':')[1]).toBe(merchant.id);
  });
});
