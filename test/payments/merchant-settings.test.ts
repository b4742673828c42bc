import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
});
afterAll(() => node.stop());

const MERCHANT = '/api/v1/merchant';

forEachEngine('what a merchant says of itself', (engine) => {
  let suite: Suite;
  let service: TestService;
  let receiver: Receiver;
  let merchant: TestMerchant;
  /** Answers that it is gone, until it is back. */
  let gone: Receiver;
  let isBack = false;

  beforeAll(async () => {
    const settings = { COINFRONT_WEBHOOK_ALLOW: 'loopback' };
    suite = await openSuite(engine, node.url, settings);
    ({ service } = suite);
    merchant = await suite.createMerchant();
    receiver = await startReceiver();
    gone = await startReceiver({ answer: (response) => response.writeHead(isBack ? 204 : 410).end() });
  });
  afterAll(async () => {
    await suite.close();
    await receiver?.stop();
    await gone?.stop();
  });

  const change = async (body: object) => {
    const { status, json, text } = await merchant.patch(MERCHANT, body);
    expect(status, text).toBe(200);
    expect((await merchant.get(MERCHANT)).json).toEqual(json);
    return json;
  };
  const createPayment = async (terms: object = {}) => {
    const made = await merchant.post('/api/v1/payments', {
      recipient: await node.newAddress(),
      amount: '0.5',
      ...terms,
    });
    expect(made.status, made.text).toBe(201);
    return made.json;
  };
  const secondsOf = ({ created_at, expires_at }: { created_at: string; expires_at: string }) =>
    (Date.parse(expires_at) - Date.parse(created_at)) / 1000;

  test('changes where it is given, stays where it is left out, and is cleared by null', async () => {
    const before = (await merchant.get(MERCHANT)).json;
    expect(before).toMatchObject({ default_expires_in: null, default_confirmations: null });
    const url = `http://localhost:${receiver.port}/own`;
    const given = { name: ' Book shop ', webhook_url: url, pool: { low_threshold: 3 } };
    const named = await change({ ...given, default_expires_in: 900, default_confirmations: 6 });
    expect(named).toEqual({
      ...before,
      name: 'Book shop',
      webhook_url: url,
      pool: { ...before.pool, low_threshold: 3 },
      default_expires_in: 900,
      default_confirmations: 6,
    });
    expect(await change({})).toEqual(named);
    expect(await change({ default_confirmations: null })).toEqual({ ...named, default_confirmations: null });
    expect(await change({ webhook_url: null })).toMatchObject({ name: 'Book shop', webhook_url: null });
    expect(await change({ default_expires_in: null })).toMatchObject({ default_expires_in: null });
  });

  test('holds for new payments that do not say otherwise', async () => {
    await change({ default_expires_in: 900, default_confirmations: 6 });
    const usual = await createPayment();
    expect([secondsOf(usual), usual.confirmations_required]).toEqual([900, 6]);
    const special = await createPayment({ expires_in: 60, confirmations_required: 1 });
    expect([secondsOf(special), special.confirmations_required]).toEqual([60, 1]);
    await change({ default_expires_in: null, default_confirmations: null });
    const plain = await createPayment();
    expect([secondsOf(plain), plain.confirmations_required]).toEqual([3_600, 2]);
    const kept = (await merchant.get(`/api/v1/payments/${usual.id}`)).json;
    expect([secondsOf(kept), kept.confirmations_required]).toEqual([900, 6]);
  });

  test('lets new payments be short by its tolerance, unless they have one of their own', async () => {
    const { tolerance } = await change({ tolerance: { percent: 1.25, max_amount: '0.004' } });
    expect(tolerance).toEqual({ percent: 1.25, max_amount: '0.00400000' });
    expect((await createPayment({ amount: '0.1' })).tolerance).toBe('0.00125000');
    expect((await createPayment({ amount: '10' })).tolerance).toBe('0.00400000');
    expect((await createPayment({ tolerance: { percent: 0 } })).tolerance).toBe('0.00000000');
    expect((await change({ name: 'Tolerant' })).tolerance).toEqual(tolerance);
    expect((await change({ tolerance: { percent: 2 } })).tolerance).toEqual({ percent: 2 });
    expect((await change({ tolerance: null })).tolerance).toBeNull();
    expect((await createPayment()).tolerance).toBe('0.00000000');
  });

  test('leads the next events, also of payments that are there already, to the new URL', async () => {
    await change({ webhook_url: null });
    const { id } = await createPayment();
    await change({ webhook_url: `http://localhost:${receiver.port}/moved` });
    await merchant.post(`/api/v1/payments/${id}/cancel`, {});
    await waitUntil('it is told', async () => receiver.received.length === 1);
    expect(receiver.received[0]!.path).toBe('/moved');
    expect(JSON.parse(receiver.received[0]!.body.toString()).type).toBe('payment.cancelled');
    await change({ webhook_url: null });
  });

  test('changes at the same time, each field by itself', async () => {
    await change({ name: 'Before', default_expires_in: 100, default_confirmations: 1 });
    await Promise.all([
      merchant.patch(MERCHANT, { name: 'After' }),
      merchant.patch(MERCHANT, { default_expires_in: 200 }),
      merchant.patch(MERCHANT, { default_confirmations: 3 }),
    ]);
    expect(await change({})).toMatchObject({
      name: 'After',
      default_expires_in: 200,
      default_confirmations: 3,
    });
  });

  test('makes the low mark of the pool tell from then on', async () => {
    await change({ pool: { low_threshold: 2 } });
    const addresses = [];
    for (let n = 0; n < 3; n += 1) addresses.push(await node.newAddress());
    expect((await merchant.post(`${MERCHANT}/addresses`, { addresses })).json.imported).toBe(3);
    await change({ webhook_url: `http://localhost:${receiver.port}/pool` });
    const lease = () => createPayment({ recipient: undefined, use_address_pool: true });
    const isTold = () =>
      receiver.received.some(({ path, body }) => path === '/pool' && body.includes('"pool.low"'));
    await lease();
    await lease();
    await waitUntil('it is told', async () => isTold());
    const told = receiver.received.find(({ body }) => body.includes('"pool.low"'))!;
    expect(JSON.parse(told.body.toString()).data).toEqual({ ready: 1, threshold: 2 });
  });

  test.each<[string, number, string, unknown]>([
    ['no name', 400, 'invalid_body', { name: '' }],
    ['a name of spaces', 400, 'invalid_body', { name: '  ' }],
    ['null for a name', 400, 'invalid_body', { name: null }],
    ['a name that is too long', 400, 'invalid_body', { name: 'x'.repeat(101) }],
    ['a name with a line break', 400, 'invalid_body', { name: 'a\nb' }],
    ['a name that turns around', 400, 'invalid_body', { name: '\u202eqohS' }],
    ['a name that shows nothing', 400, 'invalid_body', { name: '\u3164' }],
    ['a URL inside of networks', 422, 'webhook_url_refused', { webhook_url: 'https://10.0.0.1/' }],
    ['no low mark', 400, 'invalid_body', { pool: {} }],
    ['a low mark below zero', 400, 'invalid_body', { pool: { low_threshold: -1 } }],
    ['a count that it cannot set', 400, 'invalid_body', { pool: { low_threshold: 1, ready: 5 } }],
    ['too little time', 400, 'invalid_body', { default_expires_in: 59 }],
    ['half a confirmation', 400, 'invalid_body', { default_confirmations: 0.5 }],
    ['more confirmations than are followed', 400, 'invalid_body', { default_confirmations: 101 }],
    ['a tolerance above what is allowed', 400, 'invalid_body', { tolerance: { percent: 51 } }],
    ['a tolerance that is too exact', 400, 'invalid_body', { tolerance: { percent: 1.001 } }],
    ['a tolerance without a percentage', 400, 'invalid_body', { tolerance: { max_amount: '1' } }],
    [
      'a tolerance in parts of a base unit',
      ...([400, 'amount_invalid', { tolerance: { percent: 1, max_amount: '0.000000001' } }] as const),
    ],
    ['another identifier', 400, 'invalid_body', { id: 'mer_00000000000000000000' }],
    ['a list', 400, 'invalid_body', []],
  ])('refuses %s, and changes nothing', async (_, status, code, body) => {
    const before = (await merchant.get(MERCHANT)).json;
    const refused = await merchant.patch(MERCHANT, body);
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect((await merchant.get(MERCHANT)).json).toEqual(before);
  });

  test('is told of by OPTIONS and by a 405', async () => {
    const asked = await service.send('OPTIONS', MERCHANT, undefined);
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS, PATCH');
    const headers = asked.headers.get('access-control-allow-headers');
    expect(headers).toBe('Content-Type, If-None-Match, Idempotency-Key');
    const wrong = await service.send('PUT', MERCHANT, {});
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, PATCH']);
  });

  test('lets a receiver have events again that was gone, once its URL is given anew', async () => {
    const url = `http://localhost:${gone.port}/anew`;
    const own = await suite.createMerchant();
    await own.patch(MERCHANT, { webhook_url: url });
    const pay = async () => {
      const terms = { recipient: await node.newAddress(), amount: '0.5' };
      return (await own.post('/api/v1/payments', terms)).json.id as string;
    };
    const stateOf = async (id: string) => {
      const { items } = (await own.get('/api/v1/merchant/deliveries')).json;
      return items.find((delivery: { payment_id: string }) => delivery.payment_id === id)?.state;
    };
    const first = await pay();
    await waitUntil('the receiver is gone', async () => (await stateOf(first)) === 'disabled');
    isBack = true;
    const second = await pay();
    expect(await stateOf(second)).toBe('disabled');
    await own.patch(MERCHANT, { webhook_url: url });
    const third = await pay();
    await waitUntil('it has events again', async () => (await stateOf(third)) === 'delivered');
  });
});
