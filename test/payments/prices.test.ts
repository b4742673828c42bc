import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentEventJson } from '../../api/webhooks.ts';
import { createAuthority } from '../harness/certificates.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { countRows, openBeside } from '../harness/precious-rows.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin } from '../harness/raw-coins.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestService } from '../harness/service.ts';
import { type DeskSuite, openDeskSuite, openSuite } from './open-suite.ts';
import { payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const authority = createAuthority();

let node: TestNode;
let nextCoin: () => RawCoin;
let exchange: Receiver;
let exchangeSays = '{"data":[{"last":0.02}]}';
let lastOwner = 6_000;
const nextRecipient = () => addressOfOwner(++lastOwner);

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 4, value: 1_000_000_000n, owner: 1 });
  exchange = await startReceiver({
    certificate: authority.issue({ names: ['127.0.0.1'] }),
    answer: (response) => response.writeHead(200).end(exchangeSays),
  });
});
afterAll(async () => {
  await exchange.stop();
  await node.stop();
});

forEachEngine('prices in other money', (engine) => {
  let suite: DeskSuite;
  let database: DatabaseLocation;
  let service: TestService;
  let merchant: TestMerchant;
  let desk: PaymentDesk;
  let folder = '';

  /** As an operator replaces a file: as a whole. */
  async function put(name: string, content: unknown): Promise<void> {
    await writeFile(join(folder, 'next'), JSON.stringify(content));
    await rename(join(folder, 'next'), join(folder, name));
  }
  const list = () => ({
    sources: [
      { name: 'house', file: 'house.json' },
      {
        name: 'exchange',
        url: `https://127.0.0.1:${exchange.port}/ticker`,
        currency: 'USD',
        path: 'data.0.last',
        every: 1,
      },
    ],
  });
  const ask = (change: object, headers?: Record<string, string>) =>
    merchant.post('/api/v1/payments', { recipient: nextRecipient(), ...change }, headers);
  const price = (currency: string, amount: string) => ({ price: { currency, amount } });
  const rateOf = async (currency: string) => {
    const { json } = await service.get('/api/v1/rates');
    return json.items.find((item: { currency: string }) => item.currency === currency)?.rate;
  };
  const waitForRate = (currency: string, rate: string | null) =>
    waitUntil(`the rate of ${currency} is ${rate}`, async () => (await rateOf(currency)) === rate);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coinfront-rates-'));
    await writeFile(join(folder, 'authority.pem'), authority.cert);
    await put('house.json', { EUR: '0.0123', JPY: 2.5, KWD: '0.004' });
    await put('rates.json', list());
    suite = await openDeskSuite(engine, node.url, {
      COINFRONT_RATES: join(folder, 'rates.json'),
      COINFRONT_RATES_ALLOW: 'loopback',
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    });
    ({ database, service, desk } = suite);
    merchant = await suite.createMerchant();
    await waitForRate('EUR', '0.0123');
    await waitForRate('USD', '0.02');
  });
  afterAll(async () => {
    await suite.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('are turned into coins by the rate of now, rounded up, and the quote is shown to everybody', async () => {
    const made = await ask(price('EUR', '19.9'));
    expect(made.status, made.text).toBe(201);
    const quote = {
      currency: 'EUR',
      amount: '19.90',
      rate: '0.0123',
      sources: ['house'],
      at: expect.any(String),
    };
    expect(made.json).toMatchObject({ amount: '1617.88617887', remaining: '1617.88617887', price: quote });
    expect(made.json.payment_uri).toContain('amount=1617.88617887&');
    const { json } = await service.get(`/api/v1/payments/${made.json.id}`);
    expect(json.price).toEqual(made.json.price);
    expect((await desk.lastEvent(made.json.id)).data.payment.price).toEqual(made.json.price);
    expect((await merchant.get('/api/v1/payments?limit=1')).json.items[0].price).toEqual(made.json.price);
  });

  test('have the decimals of their currency, and come from a source of its own', async () => {
    expect((await ask(price('JPY', '1000'))).json).toMatchObject({
      amount: '400.00000000',
      price: { amount: '1000' },
    });
    expect((await ask(price('KWD', '1.5'))).json).toMatchObject({
      amount: '375.00000000',
      price: { amount: '1.500' },
    });
    expect((await ask(price('USD', '5'))).json).toMatchObject({
      amount: '250.00000000',
      price: { currency: 'USD', amount: '5.00', rate: '0.02', sources: ['exchange'] },
    });
    expect((await ask({ amount: '1' })).json.price).toBe(null);
  });

  test('are told by /config and /rates', async () => {
    const { json } = await service.get('/api/v1/config');
    expect(json.payments.currencies).toEqual(['EUR', 'JPY', 'KWD', 'USD']);
    const rates = (await service.get('/api/v1/rates')).json;
    expect(rates.max_age_seconds).toBe(600);
    expect(rates.items[1]).toEqual({
      currency: 'JPY',
      decimals: 0,
      rate: '2.5',
      sources: ['house'],
      at: expect.any(String),
      age_seconds: expect.any(Number),
    });
  });

  test('and how old they are is in the metrics', async () => {
    const text = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
    expect(text).toMatch(/^coinfront_rate_age_seconds\{currency="EUR"\} [0-9.]+$/m);
    expect(text).toMatch(/^coinfront_rate_source_failures_total\{source="exchange"\} 0$/m);
  });

  describe('refused, and nothing is stored:', () => {
    test.each([
      ['both', 400, 'invalid_body', { amount: '1', ...price('EUR', '1') }],
      ['neither', 400, 'invalid_body', {}],
      ['a currency that no source has', 422, 'currency_unknown', price('GBP', '1')],
      ['a currency in small letters', 400, 'invalid_body', price('eur', '1')],
      ['more decimals than the currency has', 400, 'amount_invalid', price('EUR', '1.001')],
      ['decimals of a currency that has none', 400, 'amount_invalid', price('JPY', '1.5')],
      ['nothing', 400, 'amount_invalid', price('EUR', '0.00')],
      ['less than nothing', 400, 'invalid_body', price('EUR', '-1')],
      ['an exponent', 400, 'invalid_body', price('EUR', '1e3')],
      ['a number', 400, 'invalid_body', { price: { currency: 'EUR', amount: 1 } }],
      ['no amount', 400, 'invalid_body', { price: { currency: 'EUR' } }],
      ['another field', 400, 'invalid_body', { price: { currency: 'EUR', amount: '1', rate: '1' } }],
      ['a text', 400, 'invalid_body', { price: '1 EUR' }],
      ['more than there will ever be', 400, 'amount_invalid', price('EUR', '99999999999')],
      [
        'without confirmations, and too much for that',
        422,
        'confirmations_too_few',
        {
          ...price('EUR', '1'),
          confirmations_required: 0,
        },
      ],
    ])('%s: %i %s', async (_, status, code, change) => {
      const precious = await openBeside(database);
      try {
        const before = await countRows(precious);
        const answer = await ask(change);
        expect([answer.status, answer.json.code], answer.text).toEqual([status, code]);
        expect(await countRows(precious)).toEqual(before);
      } finally {
        await precious.close();
      }
    });

    test('less than anybody can pay', async () => {
      await put('house.json', { EUR: '1000000', JPY: 2.5, KWD: '0.004' });
      await waitForRate('EUR', '1000000');
      const { status, json } = await ask(price('EUR', '0.01'));
      expect([status, json.code]).toEqual([400, 'amount_invalid']);
      expect(json.detail).toContain('0.01 EUR, which is 0.00000001');
    });
  });

  test('keep their quote when the rate moves, and the rest is asked for by it', async () => {
    const recipient = nextRecipient();
    await put('house.json', { EUR: '0.5', JPY: 2.5, KWD: '0.004' });
    await waitForRate('EUR', '0.5');
    const key = { 'idempotency-key': 'a price once' };
    const body = { recipient, ...price('EUR', '1.00'), confirmations_required: 1 };
    const made = await merchant.post('/api/v1/payments', body, key);
    expect(made.json).toMatchObject({ amount: '2.00000000', price: { rate: '0.5' } });
    await put('house.json', { EUR: '0.25', JPY: 2.5, KWD: '0.004' });
    await waitForRate('EUR', '0.25');

    await mineExactly(node, [payOwner(nextCoin(), lastOwner, 150_000_000n)]);
    await desk.waitFor(made.json.id, 'underpaid');
    const { json } = await service.get(`/api/v1/payments/${made.json.id}`);
    expect(json).toMatchObject({ remaining: '0.50000000', price: made.json.price });
    expect(json.payment_uri).toContain('amount=0.50000000&');

    const again = await merchant.post('/api/v1/payments', body, key);
    expect([again.status, again.text]).toEqual([201, made.text]);
    await mineExactly(node, [payOwner(nextCoin(), lastOwner, 50_000_000n)]);
    await desk.waitFor(made.json.id, 'paid');
    const paid: PaymentEventJson = await desk.lastEvent(made.json.id);
    expect(paid.data.payment.price).toEqual(made.json.price);
  });

  test('are not taken by a rate that is too old, and payments in coins go on', async () => {
    const key = { 'idempotency-key': 'a price before' };
    const body = { recipient: nextRecipient(), ...price('EUR', '1.00') };
    const before = await merchant.post('/api/v1/payments', body, key);
    expect(before.status).toBe(201);
    await put('house.json', { EUR: '0.25', at: new Date(Date.now() - 601_000).toISOString() });
    await waitForRate('EUR', null);
    const { status, json, headers } = await ask(price('EUR', '1.00'));
    expect([status, json.code]).toEqual([503, 'rate_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await merchant.post('/api/v1/payments', body, key)).text).toBe(before.text);
    expect((await ask({ amount: '1' })).status).toBe(201);
    expect((await service.get('/api/v1/health')).json.ready).toBe(true);
    await waitUntil('the log says it', () =>
      service.printed().includes('The rate source house is left out for EUR'),
    );
    const metrics = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
    expect(Number(/rate_age_seconds\{currency="EUR"\} ([0-9.]+)/.exec(metrics)?.[1])).toBeGreaterThan(600);
    await put('house.json', { EUR: '0.25', JPY: 2.5, KWD: '0.004' });
    await waitForRate('EUR', '0.25');
  });

  test('follow the list of sources when it changes, and keep the last good one when it cannot be used', async () => {
    await put('rates.json', { sources: [{ name: 'other', file: 'other.json' }] });
    await put('other.json', { CHF: '3' });
    await waitForRate('CHF', '3');
    expect(await rateOf('EUR')).toBe(undefined);
    await put('rates.json', {
      sources: [{ name: 'x', url: 'http://10.0.0.1/', currency: 'EUR', path: 'p' }],
    });
    await waitUntil('the log says it', () =>
      /The file of rate sources is not used: .*url/.test(service.printed()),
    );
    expect(await rateOf('CHF')).toBe('3');
    await put('rates.json', list());
    await waitForRate('USD', '0.02');
  });

  test('need no source at the start: the service serves, and says that there is no rate yet', async () => {
    await service.stop();
    await put('rates.json', list());
    await rm(join(folder, 'house.json'));
    exchangeSays = 'not yet';
    await service.start();
    for (const currency of ['EUR', 'USD', 'GBP'])
      expect((await ask(price(currency, '1'))).json.code, currency).toBe('rate_unavailable');
    exchangeSays = '{"data":[{"last":"2e-2"}]}';
    await put('house.json', { EUR: 0.0123 });
    await waitForRate('EUR', '0.0123');
    await waitForRate('USD', '0.02');
    expect((await ask(price('GBP', '1'))).json.code).toBe('currency_unknown');
  });
});

forEachEngine('without sources', (engine) => {
  test('the list of rates is empty, and a price is refused', async () => {
    const suite = await openSuite(engine, node.url);
    const { service } = suite;
    try {
      const merchant = await suite.createMerchant();
      expect((await service.get('/api/v1/rates')).json).toEqual({ max_age_seconds: null, items: [] });
      expect((await service.get('/api/v1/config')).json.payments.currencies).toEqual([]);
      const body = { recipient: nextRecipient(), price: { currency: 'EUR', amount: '1' } };
      expect((await merchant.post('/api/v1/payments', body)).json.code).toBe('currency_unknown');
      const metrics = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
      expect(metrics).not.toContain('coinfront_rate_');
    } finally {
      await suite.close();
    }
  });
});
