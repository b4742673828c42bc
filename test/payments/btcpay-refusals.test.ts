import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { openBeside } from '../harness/precious-rows.ts';
import type { TestService } from '../harness/service.ts';
import { testProfile } from '../harness/test-coin.ts';
import { describeListed, insertListed } from './listed-payments.ts';
import { openSuite, type Suite } from './open-suite.ts';
import { createPlugin, magentoPermissions, type Plugin, readFields, takeKey } from './shop-plugin.ts';

const { ticker } = testProfile;

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
});
afterAll(() => node.stop());

forEachEngine("what BTCPay's interface refuses", (engine) => {
  let suite: Suite;
  let location: DatabaseLocation;
  let service: TestService;
  let merchant: TestMerchant;
  let other: TestMerchant;
  let plugin: Plugin;
  let base = '';

  beforeAll(async () => {
    suite = await openSuite(engine, node.url);
    ({ database: location, service } = suite);
    merchant = await suite.createMerchant();
    other = await suite.createMerchant();
    base = `${service.origin}/btcpay`;
    plugin = createPlugin(base, merchant.apiKey);
    const addresses = [await node.newAddress(), await node.newAddress()];
    await merchant.post('/api/v1/merchant/addresses', { addresses });
  });
  afterAll(() => suite.close());

  const makeKey = async (scope: string) =>
    (await merchant.post('/api/v1/merchant/keys', { name: scope, scope })).json.key as string;

  describe('of keys', () => {
    test.each([
      ['none', {}],
      ['another kind', { Authorization: 'Bearer x' }],
      ['no form of a key', { Authorization: 'token x' }],
      ['nobody’s', { Authorization: `token cfk_${'a'.repeat(43)}` }],
    ])('%s', async (_, headers) => {
      for (const path of ['stores', 'server/info', 'api-keys/current', `stores/${merchant.id}/invoices`]) {
        const {
          status,
          json,
          headers: answered,
        } = await service.get(`/btcpay/api/v1/${path}`, headers as never);
        expect([status, json.code]).toEqual([401, 'unauthenticated']);
        expect(answered.get('content-type')).toContain('application/json');
      }
    });

    test('another merchant’s store and invoices', async () => {
      const stranger = createPlugin(base, other.apiKey);
      expect(await stranger.request('GET', `stores/${merchant.id}`)).toMatchObject({
        status: 404,
        body: { code: 'store-not-found' },
      });
      const { id } = await plugin.call('POST', `stores/${merchant.id}/invoices`, { amount: '1' });
      for (const [method, path, body] of [
        ['GET', `stores/${other.id}/invoices/${id}`],
        ['GET', `stores/${other.id}/invoices/${id}/payment-methods`],
        ['POST', `stores/${other.id}/invoices/${id}/status`, { status: 'Invalid' }],
      ] as const) {
        expect(await stranger.request(method, path, body)).toMatchObject({
          status: 404,
          body: { code: 'invoice-not-found' },
        });
      }
      expect(await stranger.call('GET', `stores/${other.id}/invoices`)).toEqual([]);
    });

    test('what their scope does not include', async () => {
      const create = createPlugin(base, await makeKey('create'));
      const read = createPlugin(base, await makeKey('read'));
      const missing = (permission: string) => ({
        status: 403,
        body: { code: 'missing-permission', missingPermission: permission, message: expect.any(String) },
      });
      const ofStore = `stores/${merchant.id}`;
      expect(await create.request('GET', `${ofStore}/webhooks`)).toEqual(
        missing('btcpay.store.webhooks.canmodifywebhooks'),
      );
      expect(
        await create.request('POST', `${ofStore}/invoices/VP-000000000000/status`, { status: 'Invalid' }),
      ).toEqual(missing('btcpay.store.canmodifyinvoices'));
      expect(await read.request('POST', `${ofStore}/invoices`, { amount: '1' })).toEqual(
        missing('btcpay.store.cancreateinvoice'),
      );
      expect(await read.call('GET', `${ofStore}/invoices`)).toBeInstanceOf(Array);
    });

    test('what they were not granted', async () => {
      const request = { applicationName: 'Reader', redirect: 'https://shop.example/' };
      const permissions = ['btcpay.store.canviewinvoices'];
      const { apiKey } = await takeKey(base, { ...request, permissions }, merchant.apiKey);
      const reader = createPlugin(base, apiKey);
      expect(await reader.call('GET', `stores/${merchant.id}/invoices`)).toBeInstanceOf(Array);
      expect((await reader.request('GET', 'stores')).status).toBe(403);
      expect((await reader.request('POST', `stores/${merchant.id}/invoices`, { amount: '1' })).status).toBe(
        403,
      );
      // It is good for nothing else, whatever of ours it asks for.
      const own = { 'x-coin-pay-api-key': apiKey };
      const refused = { status: 403, json: { code: 'key_scope_insufficient' } };
      for (const path of ['payments', 'payments.csv', 'merchant', 'merchant/events', 'merchant/unsettled']) {
        expect(await service.get(`/api/v1/${path}`, own), path).toMatchObject(refused);
      }
      const payment = { amount: '1', use_address_pool: true };
      expect(await service.post('/api/v1/payments', payment, own)).toMatchObject(refused);
      const key = { name: 'x', scope: 'all' };
      const { json } = await service.post('/api/v1/merchant/keys', key, own);
      expect(json.detail).toContain('good under /btcpay only');
    });
  });

  describe('of invoices', () => {
    test.each<[string, object, string[]]>([
      ['no amount', {}, ['amount']],
      ['an amount of null', { amount: null }, ['amount']],
      ['an amount below zero', { amount: '-1' }, ['amount']],
      ['an amount of too many decimals', { amount: '0.123456789' }, ['amount']],
      ['an amount that nobody can pay', { amount: '0.00000001' }, ['amount']],
      ['an amount of nothing', { amount: 0 }, ['amount']],
      ['an unknown currency', { amount: '1', currency: 'EUR' }, ['currency']],
      ['an odd currency', { amount: '1', currency: '<script>' }, ['currency']],
      ['metadata that are no object', { amount: '1', metadata: [] }, ['metadata']],
      [
        'metadata that are too large',
        { amount: '1', metadata: { posData: 'x'.repeat(4_200) } },
        ['metadata'],
      ],
      [
        'an order id that is too long',
        { amount: '1', metadata: { orderId: 'x'.repeat(200) } },
        ['metadata.orderId'],
      ],
      [
        'payment methods that are not there',
        { amount: '1', checkout: { paymentMethods: [`${ticker}-CHAIN`, 'BTC-LN', 'XMR'] } },
        ['checkout.paymentMethods[1]', 'checkout.paymentMethods[2]'],
      ],
      [
        'a speed that is not there',
        { amount: '1', checkout: { speedPolicy: 'Warp' } },
        ['checkout.speedPolicy'],
      ],
      ['no time to pay', { amount: '1', checkout: { expirationMinutes: 0 } }, ['checkout.expirationMinutes']],
      [
        'a return address that is none',
        { amount: '1', checkout: { redirectURL: 'javascript:alert(1)' } },
        ['checkout.redirectURL'],
      ],
      [
        'an order id that is no Unicode',
        {
          amount: '1',
          metadata: { orderId: '\ud800' },
          checkout: { redirectURL: 'https://shop.example/{OrderId}' },
        },
        ['metadata.orderId'],
      ],
    ])('%s', async (_, body, paths) => {
      const { status, body: faults } = await plugin.request('POST', `stores/${merchant.id}/invoices`, body);
      expect([status, faults.map(({ path }: { path: string }) => path)]).toEqual([422, paths]);
      for (const { message } of faults) expect(message).not.toBe('');
    });

    test('what is no JSON, no object, or holds a private key', async () => {
      const path = `/btcpay/api/v1/stores/${merchant.id}/invoices`;
      const headers = { authorization: `token ${merchant.apiKey}`, 'content-type': 'application/json' };
      const send = async (body: string) => {
        const answer = await fetch(service.origin + path, { method: 'POST', headers, body });
        return [answer.status, ((await answer.json()) as { code: string }).code];
      };
      expect(await send('{"amount"')).toEqual([400, 'invalid-body']);
      expect(await send('')).toEqual([400, 'invalid-body']);
      expect(await send('[]')).toEqual([400, 'invalid-body']);
      expect(await send('{"amount":"1","amount":"2"}')).toEqual([400, 'invalid-body']);
      const words = `${'abandon '.repeat(11)}about`;
      expect(await send(JSON.stringify({ amount: '1', metadata: { note: words } }))).toEqual([
        400,
        'private-key-refused',
      ]);
      expect(await send(JSON.stringify({ amount: '1', metadata: { note: 'x'.repeat(20_000) } }))).toEqual([
        413,
        'body-too-large',
      ]);
    });

    test.each([
      'startDate=x',
      'take=201',
      'take=-1',
      'skip=10001',
      'status=Paid',
      'textSearch=x',
      'orderId=%00',
    ])('a list by %s', async (query) => {
      const { status, body } = await plugin.request('GET', `stores/${merchant.id}/invoices?${query}`);
      expect([status, body[0].path]).toEqual([422, query.split('=')[0]]);
    });

    test('in a list by status, what is behind 5,000 others', async () => {
      const { id: merchantId, apiKey } = await suite.createMerchant();
      const shop = createPlugin(base, apiKey);
      const madeMs = Date.parse('2026-03-01T00:00:00Z');
      const describe = (columns: object) => describeListed(merchantId, columns);
      const old = describe({ created_at: madeMs, order_id: 'old', status: 'paid', reason: null });
      const later = Array.from({ length: 5_000 }, (_, i) => describe({ created_at: madeMs + 1_000 + i }));
      const precious = await openBeside(location);
      await insertListed(precious, [old, ...later]);
      await precious.close();
      const list = async (query: string) =>
        (await shop.call('GET', `stores/${merchantId}/invoices?${query}`)).map(
          ({ id }: { id: string }) => id,
        );
      expect(await list('status=Settled')).toEqual([]);
      expect(await list(`status=Settled&endDate=${madeMs / 1_000}`)).toEqual([old.id]);
      expect(await list('status=Settled&orderId=old')).toEqual([old.id]);
      expect(await list('skip=5000')).toEqual([old.id]);
    });

    test('an identifier that is none', async () => {
      for (const id of ['VP-000000000000', 'x', '%3Cscript%3E', '..%2F..', '%00', 'vp-000000000000']) {
        const { status, body } = await plugin.request('GET', `stores/${merchant.id}/invoices/${id}`);
        expect([status, body.code]).toEqual([404, 'invoice-not-found']);
        expect((await fetch(`${base}/i/${id}`)).status).toBe(404);
        const invoice = `stores/${merchant.id}/invoices/${id}`;
        expect((await plugin.request('GET', `${invoice}/payment-methods`)).status).toBe(404);
        expect((await plugin.request('POST', `${invoice}/status`, { status: 'Invalid' })).status).toBe(404);
        expect((await plugin.request('GET', `stores/${id}/invoices`)).body.code).toBe('store-not-found');
      }
    });

    test('an identifier that no database takes, and nobody else who asks at the same time', async () => {
      const { id } = await plugin.call('POST', `stores/${merchant.id}/invoices`, { amount: '1' });
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          i % 3 === 0
            ? plugin.request('GET', `stores/${merchant.id}/invoices/%00`)
            : merchant.get(`/api/v1/payments/${id}`),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i % 3 === 0 ? 404 : 200)));
    });
  });

  describe('of webhooks', () => {
    test.each<[string, object, string]>([
      ['no URL', {}, 'url'],
      ['a private address', { url: 'http://127.0.0.1/hook' }, 'url'],
      ['no encryption', { url: 'http://shop.example/hook' }, 'url'],
      ['a secret that is too long', { url: 'https://shop.example/', secret: 'x'.repeat(201) }, 'secret'],
      ['a secret with a control character', { url: 'https://shop.example/', secret: 'a\0b' }, 'secret'],
      ['a secret that is no Unicode', { url: 'https://shop.example/', secret: '\udc00' }, 'secret'],
      ['no redelivery', { url: 'https://shop.example/', automaticRedelivery: false }, 'automaticRedelivery'],
    ])('%s', async (_, body, path) => {
      const { status, body: faults } = await plugin.request('POST', `stores/${merchant.id}/webhooks`, body);
      expect([status, faults[0].path]).toEqual([422, path]);
    });

    test('an identifier that is none', async () => {
      const body = { url: 'https://shop.example/hook' };
      for (const id of ['whk_00000000000000000000', 'x', '%00', '..%2F..']) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const path = `stores/${merchant.id}/webhooks/${id}`;
          expect(await plugin.request(method, path, method === 'PUT' ? body : undefined)).toMatchObject({
            status: 404,
            body: { code: 'webhook-not-found' },
          });
        }
      }
    });

    test('more than a merchant may have', async () => {
      const urlOf = (i: number) => ({ url: `https://shop.example/hook/${i}` });
      const made: string[] = [];
      for (let i = 0; i < 20; i++)
        made.push((await plugin.call('POST', `stores/${merchant.id}/webhooks`, urlOf(i))).id);
      expect(await plugin.request('POST', `stores/${merchant.id}/webhooks`, urlOf(20))).toMatchObject({
        status: 409,
        body: { code: 'webhooks-exhausted' },
      });
      // One that is there is set up anew, however many there are.
      await plugin.call('POST', `stores/${merchant.id}/webhooks`, urlOf(19));
      for (const id of made) await plugin.call('DELETE', `stores/${merchant.id}/webhooks/${id}`);
    });

    test('a second one for the same URL: the first is set up anew, with another secret', async () => {
      const path = `stores/${merchant.id}/webhooks`;
      const url = 'https://shop.example/once';
      const first = await plugin.call('POST', path, { url, authorizedEvents: { everything: true } });
      const authorizedEvents = { everything: false, specificEvents: ['InvoiceSettled'] };
      const second = await plugin.call('POST', path, { url, authorizedEvents });
      expect(second).toMatchObject({ id: first.id, authorizedEvents });
      expect(second.secret).not.toBe(first.secret);
      expect(await plugin.call('GET', path)).toHaveLength(1);
      const other = await plugin.call('POST', path, { url: `${url}/other` });
      expect(await plugin.request('PUT', `${path}/${other.id}`, { url })).toMatchObject({
        status: 422,
        body: [{ path: 'url' }],
      });
      expect(await plugin.call('PUT', `${path}/${first.id}`, { url })).toMatchObject({ id: first.id, url });
      for (const { id } of [first, other]) await plugin.call('DELETE', `${path}/${id}`);
      expect(await plugin.call('GET', path)).toEqual([]);
    });

    test('those of the other interface, which has others in turn', async () => {
      const url = 'https://shop.example/own';
      const { id } = (await merchant.post('/api/v1/merchant/webhooks', { url })).json;
      expect((await plugin.request('GET', `stores/${merchant.id}/webhooks/${id}`)).status).toBe(404);
      expect((await plugin.request('DELETE', `stores/${merchant.id}/webhooks/${id}`)).status).toBe(404);
      const made = await plugin.call('POST', `stores/${merchant.id}/webhooks`, { url });
      expect((await merchant.get(`/api/v1/merchant/webhooks/${made.id}`)).status).toBe(404);
    });
  });

  describe('of the page that makes keys', () => {
    const query = `permissions=${magentoPermissions[0]}&applicationName=%3Cb%3EShop&redirect=https%3A%2F%2Fshop.example%2Fcb`;
    const submit = (fields: object, headers: Record<string, string> = {}) =>
      fetch(`${base}/api-keys/authorize`, {
        method: 'POST',
        headers: { origin: service.origin, ...headers },
        body: new URLSearchParams({
          permissions: magentoPermissions[0]!,
          redirect: 'https://shop.example/cb',
          ...fields,
        }),
      });

    test('shows its target and no markup of others, runs nothing, and is in no frame', async () => {
      const answer = await fetch(`${base}/api-keys/authorize?${query}`);
      const page = await answer.text();
      expect(page).toContain('<strong>shop.example</strong>');
      expect(page).toContain('&lt;b&gt;Shop');
      const policy = answer.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toContain('script-src');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    test('sends the form of the new key nowhere else', async () => {
      const answer = await submit({ key: merchant.apiKey });
      expect(answer.status).toBe(200);
      const page = await answer.text();
      expect(page).toContain('action="https://shop.example/cb"');
      expect(answer.headers.get('content-security-policy')).toContain('form-action https://shop.example');
      expect(page).not.toContain(merchant.apiKey);
      expect(readFields(page).find(([name]) => name === 'apiKey')![1]).not.toBe(merchant.apiKey);
    });

    test.each<[string, object, Record<string, string>, number]>([
      ['no key', {}, {}, 401],
      ['a wrong key', { key: `cfk_${'b'.repeat(43)}` }, {}, 401],
      ['a target that is not encrypted', { redirect: 'http://shop.example/' }, {}, 400],
      ['a target that is a script', { redirect: 'javascript:alert(1)' }, {}, 400],
      ['permissions that are not there', { permissions: 'btcpay.server.canmodifyserversettings' }, {}, 400],
    ])('refuses %s', async (_, fields, headers, status) => {
      expect((await submit(fields, headers)).status).toBe(status);
    });

    test('takes the form of no other page, whatever key it has', async () => {
      const before = (await merchant.get('/api/v1/merchant/keys')).json.items.length;
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        expect((await submit({ key: merchant.apiKey }, headers as never)).status).toBe(403);
      }
      expect((await merchant.get('/api/v1/merchant/keys')).json.items).toHaveLength(before);
    });

    test('wants a key that may do everything', async () => {
      const answer = await submit({ key: await makeKey('create') });
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('role="alert"');
    });
  });
});
