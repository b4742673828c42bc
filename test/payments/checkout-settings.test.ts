import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyReturn } from '../../sdk/webhooks/verify-return.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import type { ServiceAnswer, TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

const route = '/api/v1/merchant/checkout';
const nothing = { name: null, mark: null, embed_origins: [] };

let node: TestNode;
let mark = '';

beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
  const png = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#7a4b2a' } })
    .png()
    .toBuffer();
  mark = png.toString('base64');
});
afterAll(() => node.stop());

forEachEngine('the checkout page of a merchant', (engine) => {
  let suite: Suite;
  let service: TestService;
  let merchant: TestMerchant;
  let precious: Precious;

  beforeAll(async () => {
    const settings = { COINFRONT_WEBHOOK_ALLOW: 'loopback' };
    suite = await openSuite(engine, node.url, settings);
    ({ service, precious } = suite);
    merchant = await suite.createMerchant();
  });
  afterAll(() => suite.close());

  const put = (body: unknown, apiKey = merchant.apiKey): Promise<ServiceAnswer> =>
    service.send('PUT', route, body, { 'x-coin-pay-api-key': apiKey });
  const makePayment = async (fields: object = {}): Promise<ServiceAnswer> =>
    await merchant.post('/api/v1/payments', { recipient: await node.newAddress(), amount: '1', ...fields });
  /** Where the page's link back leads; undefined when it has none. */
  const findBack = async (id: string): Promise<string | undefined> => {
    const { text } = await service.get(`/pay/${id}`);
    return /<a id="back"[^>]* href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  };

  test('has the name that the operator gave, until the merchant gives another', async () => {
    const { json: payment } = await makePayment();
    expect((await merchant.get(route)).json).toEqual(nothing);
    const before = await service.get(`/pay/${payment.id}`);
    expect(before.text).toContain('<bdi>Test shop</bdi>');
    expect(before.text).not.toContain('<img');
    expect(before.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);

    const given = {
      name: 'Café <b>',
      mark,
      embed_origins: ['https://SHOP.example/', 'http://localhost:3000'],
    };
    const kept = { ...given, embed_origins: ['https://shop.example', 'http://localhost:3000'] };
    const answer = await put(given);
    expect([answer.status, answer.json]).toEqual([200, kept]);
    expect((await merchant.get(route)).json).toEqual(kept);
    const after = await service.get(`/pay/${payment.id}`);
    expect(after.text).toContain('<bdi>Café &lt;b&gt;</bdi>');
    expect(after.text).toContain(`width="32" height="32" src="data:image/png;base64,${mark}"`);
    expect(after.headers.get('content-security-policy')).toMatch(
      /; frame-ancestors https:\/\/shop\.example http:\/\/localhost:3000$/,
    );
    expect((await service.get(`/api/v1/payments/${payment.id}`)).text).not.toContain('Café');
  });

  test('does not show a name of former times that misleads: the name of the coin stands there', async () => {
    const { apiKey, id, post } = await suite.createMerchant();
    const made = await post('/api/v1/payments', { recipient: await node.newAddress(), amount: '1' });
    const rename = (name: string) =>
      precious.query<PaymentTables>().updateTable('merchant').set({ name }).where('id', '=', id).execute();
    const findName = async () =>
      /<bdi>([^<]*)<\/bdi>/.exec((await service.get(`/pay/${made.json.id}`)).text)?.[1];
    for (const name of ['\u202eqohS', '\u3164', `Z${'\u0301'.repeat(30)}`]) {
      await rename(name);
      expect(await findName()).toBe('Regtest Coin');
      expect((await service.get('/api/v1/merchant', { 'x-coin-pay-api-key': apiKey })).json.name).toBe(name);
    }
    // Letters and accents apart, as some keyboards write them, mislead nobody.
    await rename('Cafe\u0301 ');
    expect(await findName()).toBe('Café');
  });

  test('is set up as a whole, for one merchant', async () => {
    const other = await suite.createMerchant();
    await put({ name: 'First', mark });
    await put({ name: 'Other' }, other.apiKey);
    expect((await merchant.get(route)).json).toEqual({ ...nothing, name: 'First', mark });
    expect((await put({ name: 'Second' })).json).toEqual({ ...nothing, name: 'Second' });
    expect((await other.get(route)).json).toEqual({ ...nothing, name: 'Other' });
    expect((await put({})).json).toEqual(nothing);
    expect((await merchant.get(route)).json).toEqual(nothing);
  });

  test('takes settings that come at once one after the other: the last one counts whole', async () => {
    const all = [1, 2, 3, 4].map((n) => ({
      ...nothing,
      name: `Shop ${n}`,
      embed_origins: [`https://${n}.example`],
    }));
    const answers = await Promise.all(all.map((each) => put(each)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(all).toContainEqual((await merchant.get(route)).json);
  });

  test.each([
    ['a mark that is none', 422, 'mark_invalid', { mark: 'AAAA' }],
    ['a mark that is too large', 400, 'invalid_body', { mark: 'A'.repeat(21_852) }],
    ['a name that turns around', 400, 'invalid_body', { name: '\u202eqohS' }],
    ['an origin with a path', 422, 'embed_origin_refused', { embed_origins: ['https://shop.example/a'] }],
    [
      'a piece of policy',
      422,
      'embed_origin_refused',
      { embed_origins: ["https://a.example;script-src'self'"] },
    ],
    ['too many origins', 400, 'invalid_body', { embed_origins: Array(11).fill('https://shop.example') }],
    ['a body that is too large', 413, 'body_too_large', { name: 'x'.repeat(40_000) }],
    ['an unknown field', 400, 'invalid_body', { logo: '' }],
  ])('refuses %s, and keeps what it has', async (_, status, code, body) => {
    await put({ name: 'Kept' });
    const refused = await put(body);
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect((await merchant.get(route)).json).toEqual({ ...nothing, name: 'Kept' });
  });

  test('leads back as it was told while nothing has come, and signed from then on', async () => {
    const return_url = 'https://shop.example/orders/7?a=%20b#top';
    const { status, json: payment } = await makePayment({ return_url });
    expect([status, payment.return_url]).toEqual([201, return_url]);
    expect((await service.get(`/api/v1/payments/${payment.id}`)).json).not.toHaveProperty('return_url');
    expect(await findBack(payment.id)).toBe(return_url);

    await merchant.post(`/api/v1/payments/${payment.id}/cancel`, {});
    const signed = await findBack(payment.id);
    expect(signed).toMatch(/^https:\/\/shop\.example\/orders\/7\?a=%20b&payment_id=.*#top$/);
    const verified = await verifyReturn(signed!, merchant.webhookSecret);
    expect(verified).toMatchObject({ payment_id: payment.id, status: 'cancelled' });
    expect(Math.abs(verified.at.getTime() - Date.now())).toBeLessThan(60_000);
    const { webhookSecret: foreign } = await suite.createMerchant();
    await expect(verifyReturn(signed!, foreign)).rejects.toMatchObject({ code: 'signature_mismatch' });
  });

  test('signs with both secrets while one is being replaced', async () => {
    const { json: payment } = await makePayment({ return_url: 'https://shop.example/' });
    await merchant.post(`/api/v1/payments/${payment.id}/cancel`, {});
    const { json: rotated } = await merchant.post('/api/v1/merchant/webhook-secret/rotate', {});
    const signed = (await findBack(payment.id))!;
    for (const secret of [merchant.webhookSecret, rotated.secret])
      expect(await verifyReturn(signed, secret)).toMatchObject({ status: 'cancelled' });
  });

  test.each([
    ['a relative address', '/orders/7', 422],
    ['plain http', 'http://shop.example/orders/7', 422],
    ['a script', 'javascript:alert(1)', 422],
    ['a password', 'https://user:password@shop.example/', 422],
    ['what is added to it', 'https://shop.example/?status=paid', 422],
    ['too long', `https://shop.example/${'a'.repeat(1_980)}`, 400],
  ])('does not lead to %s', async (_, return_url, status) => {
    const refused = await makePayment({ return_url });
    expect([refused.status, refused.json.code]).toEqual([
      status,
      status === 422 ? 'return_url_refused' : 'invalid_body',
    ]);
  });

  test('leads to this machine where the operator has opened it', async () => {
    const { status, json } = await makePayment({ return_url: 'http://127.0.0.1:8090/orders/7' });
    expect([status, json.return_url]).toEqual([201, 'http://127.0.0.1:8090/orders/7']);
  });
});
