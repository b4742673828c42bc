import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../sdk/webhooks/verify-webhook.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { type Answer, type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(5);
});
afterAll(() => node.stop());

forEachEngine('routes of webhooks', (engine) => {
  let suite: Suite;
  let service: TestService;
  let merchant: TestMerchant;
  let receiver: Receiver;
  let answer: Answer = (response) => response.writeHead(204).end();

  beforeAll(async () => {
    const settings = { COINFRONT_WEBHOOK_ALLOW: 'loopback' };
    suite = await openSuite(engine, node.url, settings);
    ({ service } = suite);
    merchant = await suite.createMerchant();
    receiver = await startReceiver({ answer: (...args) => answer(...args) });
  });
  afterAll(async () => {
    await suite.close();
    await receiver?.stop();
  });

  async function createPayment(path: string): Promise<string> {
    const made = await merchant.post('/api/v1/payments', {
      recipient: await node.newAddress(),
      amount: '0.5',
      webhook_url: `http://localhost:${receiver.port}${path}`,
    });
    expect(made.status, made.text).toBe(201);
    return made.json.id;
  }

  async function waitForDelivery(paymentId: string, state: string) {
    let found: Record<string, unknown>[] = [];
    await waitUntil(`the delivery of ${paymentId} is ${state}`, async () => {
      const { json } = await merchant.get(`/api/v1/merchant/deliveries?payment_id=${paymentId}`);
      found = json.items;
      return found[0]?.state === state;
    });
    expect(found.length).toBe(1);
    // biome-ignore lint/suspicious/noExplicitAny: any field is looked at, and a wrong one fails its expectation
    return found[0] as any;
  }

  const eventOf = (path: string) => receiver.received.filter((request) => request.path === path);
  const post = (path: string) => merchant.post(path, {});

  test('a payment tells its event, signed, and shows how it was delivered', async () => {
    const id = await createPayment('/told');
    const delivery = await waitForDelivery(id, 'delivered');
    const [{ body, headers }] = eventOf('/told') as [Receiver['received'][number]];
    const event = await verifyWebhook(body, headers, merchant.webhookSecret);
    expect(event).toMatchObject({
      type: 'payment.created',
      sequence: 1,
      data: { payment: { id, status: 'open' } },
    });
    expect(body.toString()).not.toContain('webhook_url');
    expect(delivery).toMatchObject({
      event_id: event.id,
      type: 'payment.created',
      payment_id: id,
      sequence: 1,
      url: `http://localhost:${receiver.port}/told`,
      attempts: [{ attempt: 1, status: 204, error: null }],
      next_attempt_at: null,
    });
    const one = await merchant.get(`/api/v1/merchant/deliveries/${delivery.id}`);
    expect([one.status, one.json]).toEqual([200, delivery]);
  });

  test('a delivery is sent again when it is asked for, with the same bytes', async () => {
    const id = await createPayment('/again');
    const { id: deliveryId } = await waitForDelivery(id, 'delivered');
    // It may arrive before who asked for it is answered.
    const { promise: isAnswered, resolve: release } = Promise.withResolvers<void>();
    answer = (response) => void isAnswered.then(() => response.writeHead(204).end());
    const asked = await post(`/api/v1/merchant/deliveries/${deliveryId}/redeliver`);
    release();
    expect([asked.status, asked.json.state]).toEqual([200, 'pending']);
    const { attempts } = await waitForDelivery(id, 'delivered');
    expect(attempts).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
    const [first, second] = eventOf('/again');
    expect(second!.body).toEqual(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  });

  test('what is pending cannot be asked for again, and says when it is tried next', async () => {
    answer = (response) => response.writeHead(503, { 'retry-after': '600' }).end();
    const id = await createPayment('/busy');
    await waitUntil('it was tried', async () => {
      const { json } = await merchant.get(`/api/v1/merchant/deliveries?payment_id=${id}&state=pending`);
      return json.items[0]?.attempts.length === 1;
    });
    const delivery = await waitForDelivery(id, 'pending');
    expect(delivery.attempts).toMatchObject([{ status: 503, error: expect.stringContaining('503') }]);
    expect(Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempts[0].at)).toBeGreaterThanOrEqual(
      600_000,
    );
    const asked = await post(`/api/v1/merchant/deliveries/${delivery.id}/redeliver`);
    expect([asked.status, asked.json.code]).toEqual([409, 'delivery_pending']);
    answer = (response) => response.writeHead(204).end();
  });

  test('a receiver that was gone gets events again once one of them is asked for', async () => {
    answer = (response) => response.writeHead(410).end();
    const gone = await waitForDelivery(await createPayment('/gone'), 'disabled');
    answer = (response) => response.writeHead(204).end();
    const unsent = await createPayment('/gone');
    await waitForDelivery(unsent, 'disabled');
    await post(`/api/v1/merchant/deliveries/${gone.id}/redeliver`);
    await waitForDelivery(gone.payment_id, 'delivered');
    await waitForDelivery(await createPayment('/gone'), 'delivered');
    await waitForDelivery(unsent, 'disabled');
  });

  test('the list has pages, newest first, and filters', async () => {
    for (let n = 0; n < 5; n += 1) await createPayment('/listed');
    const all: string[] = [];
    let cursor = '';
    do {
      const { status, json } = await merchant.get(`/api/v1/merchant/deliveries?limit=3${cursor}`);
      expect(status).toBe(200);
      all.push(...json.items.map(({ id }: { id: string }) => id));
      cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`;
    } while (cursor !== '');
    const { json } = await merchant.get('/api/v1/merchant/deliveries?limit=100');
    expect(all).toEqual(json.items.map(({ id }: { id: string }) => id));
    expect(new Set(all).size).toBe(all.length);
    const times = json.items.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    const disabled = await merchant.get('/api/v1/merchant/deliveries?state=disabled');
    expect(disabled.json.items.map(({ state }: { state: string }) => state)).toEqual(['disabled']);
    const first = await merchant.get('/api/v1/merchant/deliveries?limit=1');
    const elsewhere = `/api/v1/merchant/deliveries?state=dead&cursor=${first.json.next_cursor}`;
    expect((await merchant.get(elsewhere)).json.code).toBe('invalid_cursor');
  });

  test('nobody sees or sends the deliveries of another merchant', async () => {
    const { json } = await merchant.get('/api/v1/merchant/deliveries?limit=1');
    const path = `/api/v1/merchant/deliveries/${json.items[0].id}`;
    const other = await suite.createMerchant();
    expect((await other.get('/api/v1/merchant/deliveries')).json.items).toEqual([]);
    expect((await other.get(path)).json.code).toBe('delivery_not_found');
    expect((await other.post(`${path}/redeliver`, {})).json.code).toBe('delivery_not_found');
    expect((await service.get(path)).status).toBe(401);
  });

  test('a rotated secret is shown once, and signs beside the old one', async () => {
    const before = Date.now();
    const rotated = await post('/api/v1/merchant/webhook-secret/rotate');
    expect(rotated.status, rotated.text).toBe(200);
    expect(rotated.headers.get('cache-control')).toBe('no-store');
    const { secret, previous_valid_until } = rotated.json;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Date.parse(previous_valid_until)).toBeGreaterThanOrEqual(before + 24 * 3_600_000);
    await waitForDelivery(await createPayment('/rotated'), 'delivered');
    const [{ body, headers }] = eventOf('/rotated') as [Receiver['received'][number]];
    for (const each of [secret, merchant.webhookSecret]) await verifyWebhook(body, headers, each);
    const coin = { 'x-coin-pay-signature': headers['x-coin-pay-signature'] };
    await verifyWebhook(body, coin, merchant.webhookSecret, { acceptWithoutTimestamp: true });

    const ended = await post('/api/v1/merchant/webhook-secret/rotate?overlap_hours=0');
    expect(ended.status, ended.text).toBe(200);
    await waitForDelivery(await createPayment('/leaked'), 'delivered');
    const [after] = eventOf('/leaked') as [Receiver['received'][number]];
    await verifyWebhook(after.body, after.headers, ended.json.secret);
    for (const each of [secret, merchant.webhookSecret])
      await expect(verifyWebhook(after.body, after.headers, each)).rejects.toThrow();
    const wrong = await post('/api/v1/merchant/webhook-secret/rotate?overlap_hours=25');
    expect([wrong.status, wrong.json.code]).toEqual([400, 'invalid_parameter']);
  });

  test('events that nobody could send are sent when the service runs again', async () => {
    answer = (response) => response.writeHead(500).end();
    const id = await createPayment('/restart');
    await waitUntil('it was tried', async () => {
      const { json } = await merchant.get(`/api/v1/merchant/deliveries?payment_id=${id}`);
      return json.items[0].attempts.length === 1;
    });
    await service.kill();
    answer = (response) => response.writeHead(204).end();
    await service.start();
    await waitUntil('it arrives', async () => eventOf('/restart').length === 2);
    await waitForDelivery(id, 'delivered');
  });
});
