import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../sdk/webhooks/verify-webhook.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { type Answer, type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
});
afterAll(() => node.stop());

const WEBHOOKS = '/api/v1/merchant/webhooks';

forEachEngine('webhook endpoints', (engine) => {
  let suite: Suite;
  let service: TestService;
  let database: DatabaseLocation;
  let receiver: Receiver;
  let answer: Answer = (response) => response.writeHead(204).end();

  beforeAll(async () => {
    suite = await openSuite(engine, node.url, { COINFRONT_WEBHOOK_ALLOW: 'loopback' });
    ({ database, service } = suite);
    receiver = await startReceiver({ answer: (...args) => answer(...args) });
  });
  afterAll(async () => {
    await suite.close();
    await receiver?.stop();
  });

  const urlOf = (path: string) => `http://localhost:${receiver.port}${path}`;
  const createMerchant = (ownPath?: string) =>
    createTestMerchant(service, database, ownPath === undefined ? [] : ['--webhook-url', urlOf(ownPath)], {
      COINFRONT_WEBHOOK_ALLOW: 'loopback',
    });
  const add = async (merchant: TestMerchant, path: string, more: object = {}) => {
    const made = await merchant.post(WEBHOOKS, { url: urlOf(path), ...more });
    expect(made.status, made.text).toBe(201);
    return made.json;
  };
  const createPayment = async (merchant: TestMerchant, more: object = {}): Promise<string> => {
    const made = await merchant.post('/api/v1/payments', {
      recipient: await node.newAddress(),
      amount: '0.5',
      ...more,
    });
    expect(made.status, made.text).toBe(201);
    return made.json.id;
  };
  const cancel = (merchant: TestMerchant, id: string) => merchant.post(`/api/v1/payments/${id}/cancel`, {});
  const deliveriesOf = async (merchant: TestMerchant, paymentId: string) => {
    const { json } = await merchant.get(`/api/v1/merchant/deliveries?payment_id=${paymentId}&limit=100`);
    return json.items as {
      id: string;
      url: string;
      type: string;
      state: string;
      webhook_id: string | null;
    }[];
  };
  /** Paths and types of a payment's deliveries, once all of them have ended. */
  const waitForSent = async (merchant: TestMerchant, paymentId: string): Promise<string[]> => {
    let found: Awaited<ReturnType<typeof deliveriesOf>> = [];
    await waitUntil(`all of ${paymentId} is delivered`, async () => {
      found = await deliveriesOf(merchant, paymentId);
      return found.every(({ state }) => state === 'delivered');
    });
    return found.map(({ url, type }) => `${new URL(url).pathname} ${type}`).sort();
  };
  const receivedAt = (path: string) => receiver.received.filter((request) => request.path === path);

  test('get the types that they want, besides the URL of the payment or the merchant, and no URL gets an event twice', async () => {
    const merchant = await createMerchant('/own');
    await add(merchant, '/all');
    await add(merchant, '/cancelled', { events: ['payment.cancelled', 'pool.low'] });
    await add(merchant, '/own');
    await add(merchant, '/off', { enabled: false });
    const id = await createPayment(merchant);
    await cancel(merchant, id);
    expect(await waitForSent(merchant, id)).toEqual([
      '/all payment.cancelled',
      '/all payment.created',
      '/cancelled payment.cancelled',
      '/own payment.cancelled',
      '/own payment.created',
    ]);
    const elsewhere = await createPayment(merchant, { webhook_url: urlOf('/all') });
    expect(await waitForSent(merchant, elsewhere)).toEqual(['/all payment.created', '/own payment.created']);
    const [first] = receivedAt('/all');
    const event = await verifyWebhook(first!.body, first!.headers, merchant.webhookSecret);
    expect(event).toMatchObject({ type: 'payment.created', data: { payment: { id } } });
    const [told] = receivedAt('/own');
    expect(told!.body).toEqual(first!.body);
  });

  test('get the events of payments that end without a request of anybody', async () => {
    const merchant = await createMerchant();
    const endpoint = await add(merchant, '/chain', { events: ['payment.detected'] });
    const recipient = await node.newAddress();
    const id = await createPayment(merchant, { recipient });
    await node.rpc('sendtoaddress', recipient, 0.5);
    await waitUntil('it is told', async () => receivedAt('/chain').length === 1);
    expect(await deliveriesOf(merchant, id)).toMatchObject([
      { type: 'payment.detected', webhook_id: endpoint.id },
    ]);
  });

  test('are listed, read, changed and deleted', async () => {
    const merchant = await createMerchant();
    const made = [];
    for (const path of ['/a', '/b', '/c']) made.push(await add(merchant, path, { description: path }));
    expect(made[0]).toMatchObject({
      url: urlOf('/a'),
      events: null,
      enabled: true,
      description: '/a',
      gone_at: null,
    });
    const first = await merchant.get(`${WEBHOOKS}?limit=2`);
    const second = await merchant.get(`${WEBHOOKS}?limit=2&cursor=${first.json.next_cursor}`);
    expect([...first.json.items, ...second.json.items]).toEqual(made);
    expect(second.json.next_cursor).toBeNull();

    const path = `${WEBHOOKS}/${made[1].id}`;
    const changed = await merchant.patch(path, { events: ['payment.paid'], url: urlOf('/d') });
    expect([changed.status, changed.json]).toEqual([
      200,
      { ...made[1], events: ['payment.paid'], url: urlOf('/d') },
    ]);
    const all = await merchant.patch(path, { events: null });
    expect(all.json).toEqual({ ...changed.json, events: null });
    expect((await merchant.patch(path, {})).json).toEqual(all.json);
    expect((await merchant.get(path)).json).toEqual(all.json);

    const deleted = await merchant.delete(path);
    expect([deleted.status, deleted.json]).toEqual([200, all.json]);
    expect((await merchant.get(path)).json.code).toBe('webhook_not_found');
    expect((await merchant.delete(path)).json.code).toBe('webhook_not_found');
    expect((await merchant.patch(path, {})).json.code).toBe('webhook_not_found');
  });

  test('have each their own URL, and are twenty at most, also when they are made at once', async () => {
    const merchant = await createMerchant();
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, n) => merchant.post(WEBHOOKS, { url: urlOf(`/many${n % 23}`) })),
    );
    const codes = made.map(({ status, json }) => (status === 201 ? 'made' : json.code));
    expect(codes.filter((code) => code === 'made')).toHaveLength(20);
    expect(codes.filter((code) => code === 'webhooks_exhausted').length).toBeGreaterThanOrEqual(3);
    const { items } = (await merchant.get(`${WEBHOOKS}?limit=100`)).json;
    expect(new Set(items.map(({ url }: { url: string }) => url)).size).toBe(20);
    await merchant.delete(`${WEBHOOKS}/${items[0].id}`);
    const twice = await merchant.post(WEBHOOKS, { url: items[1].url });
    expect([twice.status, twice.json.code]).toEqual([409, 'webhook_exists']);
    const moved = await merchant.patch(`${WEBHOOKS}/${items[2].id}`, { url: items[1].url });
    expect([moved.status, moved.json.code]).toEqual([409, 'webhook_exists']);
  });

  test.each(['deleted', 'disabled'])('that are %s get nothing of what waits for them', async (how) => {
    const merchant = await createMerchant();
    const path = `/${how}`;
    const endpoint = await add(merchant, path);
    answer = (response) => response.writeHead(500).end();
    const id = await createPayment(merchant);
    await waitUntil('it was tried', async () => receivedAt(path).length === 1);
    const one = `${WEBHOOKS}/${endpoint.id}`;
    const ended =
      how === 'deleted' ? await merchant.delete(one) : await merchant.patch(one, { enabled: false });
    expect(ended.status).toBe(200);
    answer = (response) => response.writeHead(204).end();
    const [delivery] = await deliveriesOf(merchant, id);
    expect(delivery).toMatchObject({ state: 'disabled', webhook_id: endpoint.id });
    const again = `/api/v1/merchant/deliveries/${delivery!.id}/redeliver`;
    const refused = await merchant.post(again, {});
    expect([refused.status, refused.json.code]).toEqual([409, 'webhook_disabled']);
    expect((await deliveriesOf(merchant, id))[0]!.state).toBe('disabled');
    const later = await createPayment(merchant);
    expect(await deliveriesOf(merchant, later)).toEqual([]);
    if (how === 'deleted') return;
    await merchant.patch(one, { enabled: true });
    expect((await merchant.post(again, {})).status).toBe(200);
    await waitForSent(merchant, id);
  });

  test('that are gone get nothing of an event that was written meanwhile, either', async () => {
    const merchant = await createMerchant();
    const endpoint = await add(merchant, '/too-late');
    const id = await createPayment(merchant);
    await waitForSent(merchant, id);
    await merchant.delete(`${WEBHOOKS}/${endpoint.id}`);
    const [delivery] = await deliveriesOf(merchant, id);
    // As a transaction leaves it that read the endpoint before it was deleted, and committed afterwards.
    const precious = await openBeside(database);
    await precious
      .query<PaymentTables>()
      .updateTable('delivery')
      .set({ state: 'pending', attempts: 0, ended_at: null, next_at: Date.now() })
      .where('id', '=', delivery!.id)
      .execute();
    await waitUntil('it has ended', async () => (await deliveriesOf(merchant, id))[0]!.state === 'disabled');
    const row = await precious
      .query<PaymentTables>()
      .selectFrom('delivery')
      .select('attempts')
      .where('id', '=', delivery!.id)
      .executeTakeFirstOrThrow();
    expect(row.attempts).toBe(0);
    expect(receivedAt('/too-late')).toHaveLength(1);
    await precious.close();
  });

  test('are tested by an event of their own, which says that it is a test', async () => {
    const merchant = await createMerchant('/never');
    await add(merchant, '/other');
    const endpoint = await add(merchant, '/tested', { events: ['payment.paid'] });
    const sent = await merchant.post(`${WEBHOOKS}/${endpoint.id}/test`, {});
    expect([sent.status, sent.json]).toEqual([
      200,
      expect.objectContaining({ type: 'webhook.test', payment_id: null, webhook_id: endpoint.id }),
    ]);
    await waitUntil('it arrives', async () => receivedAt('/tested').length === 1);
    const [{ body, headers }] = receivedAt('/tested') as [Receiver['received'][number]];
    expect(await verifyWebhook(body, headers, merchant.webhookSecret)).toEqual({
      id: sent.json.event_id,
      type: 'webhook.test',
      created_at: sent.json.created_at,
      sequence: sent.json.sequence,
      data: { test: true, webhook_id: endpoint.id },
    });
    await waitUntil('it is delivered', async () => {
      const { json } = await merchant.get(`/api/v1/merchant/deliveries/${sent.json.id}`);
      return json.state === 'delivered';
    });
    const { json } = await merchant.get('/api/v1/merchant/deliveries');
    expect(json.items).toHaveLength(1);
    await merchant.patch(`${WEBHOOKS}/${endpoint.id}`, { enabled: false });
    expect((await merchant.post(`${WEBHOOKS}/${endpoint.id}/test`, {})).json.code).toBe('webhook_disabled');
  });

  test('whose receiver answered 410 say so, and get events again once they are enabled or tested', async () => {
    const merchant = await createMerchant();
    const endpoint = await add(merchant, '/leaves');
    const path = `${WEBHOOKS}/${endpoint.id}`;
    const leave = async () => {
      answer = (response) => response.writeHead(410).end();
      await createPayment(merchant);
      await waitUntil('it is gone', async () => (await merchant.get(path)).json.gone_at !== null);
      answer = (response) => response.writeHead(204).end();
    };
    await leave();
    expect((await merchant.get(path)).json.enabled).toBe(true);
    expect((await merchant.patch(path, { description: 'x' })).json.gone_at).not.toBeNull();
    expect((await merchant.patch(path, { enabled: true })).json.gone_at).toBeNull();
    await waitForSent(merchant, await createPayment(merchant));
    await leave();
    // It may arrive before who asked for it is answered.
    const { promise: isAnswered, resolve: release } = Promise.withResolvers<void>();
    answer = (response) => void isAnswered.then(() => response.writeHead(204).end());
    const tested = await merchant.post(`${path}/test`, {});
    release();
    expect(tested.json.state).toBe('pending');
    await waitForSent(merchant, await createPayment(merchant));
  });

  test('that are made or moved to where a receiver was gone get events', async () => {
    const merchant = await createMerchant();
    const first = await add(merchant, '/moves');
    answer = (response) => response.writeHead(410).end();
    await createPayment(merchant);
    const isGone = async () => (await merchant.get(`${WEBHOOKS}/${first.id}`)).json.gone_at !== null;
    await waitUntil('it is gone', isGone);
    answer = (response) => response.writeHead(204).end();
    expect((await merchant.patch(`${WEBHOOKS}/${first.id}`, { url: `${first.url}/on` })).json.gone_at).toBe(
      null,
    );
    const second = await add(merchant, '/moves');
    expect(second.gone_at).toBe(null);
    await waitForSent(merchant, await createPayment(merchant));
  });

  test('belong to their merchant alone', async () => {
    const merchant = await createMerchant();
    const endpoint = await add(merchant, '/mine');
    const other = await createMerchant();
    const path = `${WEBHOOKS}/${endpoint.id}`;
    expect((await other.get(WEBHOOKS)).json.items).toEqual([]);
    for (const asked of [
      await other.get(path),
      await other.patch(path, { enabled: false }),
      await other.delete(path),
      await other.post(`${path}/test`, {}),
    ]) {
      expect([asked.status, asked.json.code]).toEqual([404, 'webhook_not_found']);
    }
    expect((await service.get(path)).status).toBe(401);
    expect((await merchant.get(path)).json).toEqual(endpoint);
    await add(other, '/mine');
  });

  describe('are refused', () => {
    let merchant: TestMerchant;
    beforeAll(async () => {
      merchant = await createMerchant();
    });

    test.each<[string, number, string, unknown]>([
      ['without a URL', 400, 'invalid_body', {}],
      ['with an unknown field', 400, 'invalid_body', { url: 'https://a.example/', colour: 'red' }],
      ['with a secret of their own', 400, 'invalid_body', { url: 'https://a.example/', secret: 'x' }],
      ['with no types', 400, 'invalid_body', { url: 'https://a.example/', events: [] }],
      [
        'with a type twice',
        400,
        'invalid_body',
        { url: 'https://a.example/', events: ['pool.low', 'pool.low'] },
      ],
      ['with an unknown type', 400, 'invalid_body', { url: 'https://a.example/', events: ['payment.eaten'] }],
      ['with control characters', 400, 'invalid_body', { url: 'https://a.example/', description: 'a\u0007' }],
      ['at an address inside of networks', 422, 'webhook_url_refused', { url: 'https://10.0.0.1/' }],
      ['without https', 422, 'webhook_url_refused', { url: 'http://shop.example/hook' }],
    ])('%s', async (_, status, code, body) => {
      const made = await merchant.post(WEBHOOKS, body);
      expect([made.status, made.json.code]).toEqual([status, code]);
      const { id } = (await merchant.post(WEBHOOKS, { url: urlOf('/refused') })).json;
      if (Object.keys(body as object).length > 0) {
        const changed = await merchant.patch(`${WEBHOOKS}/${id}`, body);
        expect([changed.status, changed.json.code]).toEqual([status, code]);
      }
      await merchant.delete(`${WEBHOOKS}/${id}`);
    });
  });
});
