import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../../test/harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../../test/harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../../test/harness/merchant.ts';
import { startService, type TestService } from '../../test/harness/service.ts';
import { type Orders, openOrders } from './orders.ts';
import { createShop, type ShopOptions } from './shop-server.ts';

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
});
afterAll(() => node.stop());

forEachEngine('the sample shop with a real service and node', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  let orders: Orders;
  let shop: Server;
  let shopUrl: string;
  let options: ShopOptions;
  let folder = '';

  beforeAll(async () => {
    const database = await engine.openUrl();
    folder = await mkdtemp(join(tmpdir(), 'coinfront-shop-'));
    await writeFile(join(folder, 'house.json'), '{"EUR":"20"}');
    await writeFile(join(folder, 'rates.json'), '{"sources":[{"name":"house","file":"house.json"}]}');
    const settings = { COINFRONT_WEBHOOK_ALLOW: 'loopback', COINFRONT_RATES: join(folder, 'rates.json') };
    service = await startService({ nodeUrl: node.url, database, settings });
    merchant = await createTestMerchant(service, database);
    const addresses = [await node.newAddress(), await node.newAddress(), await node.newAddress()];
    expect((await merchant.post('/api/v1/merchant/addresses', { addresses })).status).toBe(200);
    orders = openOrders(':memory:');
    options = {
      coinfront: { url: service.origin, apiKey: merchant.apiKey },
      webhookSecrets: [merchant.webhookSecret],
      shopUrl: '',
      orders,
      log: () => {},
    };
    shop = createShop(options);
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    options.shopUrl = shopUrl;
  });
  afterAll(async () => {
    await service.stop();
    shop.closeAllConnections();
    shop.close();
    orders.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function buy(item: string): Promise<{ orderId: string; checkoutUrl: string }> {
    const answer = await fetch(`${shopUrl}/orders`, {
      method: 'POST',
      body: new URLSearchParams({ item }),
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    return { orderId: answer.headers.get('x-order')!, checkoutUrl: answer.headers.get('location')! };
  }

  async function waitForOrder(orderId: string, says: string): Promise<void> {
    await waitUntil(`the shop says "${says}"`, async () =>
      (await (await fetch(`${shopUrl}/orders/${orderId}`)).text()).includes(says),
    );
  }

  test('an order is paid, taken back by a reorganisation, and paid again', async () => {
    const { orderId, checkoutUrl } = await buy('teapot');
    expect(checkoutUrl).toContain(`/pay/${orders.find(orderId)?.payment_id}`);
    const { json: payment } = await service.get(`/api/v1/payments/${orders.find(orderId)?.payment_id}`);
    await node.rpc('sendtoaddress', payment.address, payment.amount);
    await waitForOrder(orderId, 'payment detected: <b>wait');
    const [first] = await node.mine(1);
    await waitForOrder(orderId, 'payment confirming: <b>wait');
    await node.mine(1);
    await waitForOrder(orderId, 'payment paid: <b>send the goods');

    await node.rpc('invalidateblock', first);
    for (let block = 0; block < 3; block += 1) await node.rpc('generateblock', await node.newAddress(), []);
    await waitForOrder(orderId, 'payment reorged: <b>hold the goods back');
    await node.mine(2);
    await waitForOrder(orderId, 'payment paid: <b>send the goods');
  });

  test('an event that nobody signed, or that was changed on its way, is refused', async () => {
    const { orderId } = await buy('coffee');
    const paymentId = orders.find(orderId)!.payment_id;
    const body = JSON.stringify({
      id: 'evt_1',
      type: 'payment.paid',
      created_at: new Date().toISOString(),
      sequence: 9,
      data: {
        payment: { id: paymentId, status: 'paid', received: { late: '0' } },
        order_id: null,
        tip: null,
      },
    });
    const sign = (text: string) =>
      `sha256=${createHmac('sha256', merchant.webhookSecret).update(text).digest('hex')}`;
    for (const headers of [{}, { 'x-coin-pay-signature': sign(`${body} `) }]) {
      const answer = await fetch(`${shopUrl}/webhooks`, { method: 'POST', body, headers });
      expect(answer.status).toBe(400);
    }
    expect(orders.find(orderId)?.is_paid).toBe(0);
  });

  test('a price in euros is turned into coins by the rate of Coinfront', async () => {
    await waitUntil('there is a rate', async () => (await service.get('/api/v1/rates')).json.items[0]?.rate);
    options.currency = 'EUR';
    expect(await (await fetch(shopUrl)).text()).toContain('Buy teapot for 24 EUR');
    const order = orders.find((await buy('teapot')).orderId);
    const { json } = await service.get(`/api/v1/payments/${order?.payment_id}`);
    expect([order?.amount, json.amount]).toEqual(['24 EUR', '1.20000000']);
    expect(json.price).toMatchObject({ currency: 'EUR', amount: '24.00', rate: '20' });
  });
});
