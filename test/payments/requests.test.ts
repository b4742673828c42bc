import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PaymentView } from '../../api/payments.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { countRows } from '../harness/precious-rows.ts';
import type { ServiceAnswer, TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(105);
});
afterAll(() => node.stop());

forEachEngine('payment requests', (engine) => {
  let suite: Suite;
  let service: TestService;
  let merchant: TestMerchant;
  let precious: Precious;

  beforeAll(async () => {
    suite = await openSuite(engine, node.url);
    ({ service, precious } = suite);
    merchant = await suite.createMerchant();
  });
  afterAll(() => suite.close());

  const post = (body: unknown, headers?: Record<string, string>): Promise<ServiceAnswer> =>
    merchant.post('/api/v1/payments', body, headers);
  const waitForStatus = (id: string, status: string) =>
    waitUntil(`${id} is ${status}`, async () => {
      return (await service.get(`/api/v1/payments/${id}`)).json.status === status;
    });

  test('a payment is created for an address, and shown to everybody without what is private', async () => {
    const recipient = await node.newAddress();
    const made = await post({
      recipient,
      amount: '0.5',
      description: 'Order 1',
      webhook_url: 'https://SHOP.example:443/hook',
      return_url: 'https://SHOP.example:443/orders/1',
    });
    expect(made.status, made.text).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const shown = made.json;
    expect(shown).toMatchObject({
      webhook_url: 'https://shop.example/hook',
      use_address_pool: false,
      cancelled_at: null,
      order_id: null,
      metadata: null,
      return_url: 'https://shop.example/orders/1',
      tolerance: '0.00000000',
      excluded: [],
      id: expect.stringMatching(/^VP-[0-9A-HJKMNP-TV-Z]{12}$/),
      status: 'open',
      recipient,
      address: recipient,
      amount: '0.50000000',
      confirmations_required: 2,
      sequence: 1,
      payment_uri: `coin:${recipient}?amount=0.50000000&message=Order%201&reference=${shown.id}`,
    });
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBe(3_600_000);
    const read = await service.get(`/api/v1/payments/${shown.id}`);
    expect(read.status).toBe(200);
    const { as_of: _, updated_at: __, ...seen } = read.json;
    expect(shown).toMatchObject(seen);
    expect(Object.keys(PaymentView.properties).sort()).toEqual(Object.keys(read.json).sort());
    for (const name of [
      'webhook_url',
      'use_address_pool',
      'order_id',
      'metadata',
      'return_url',
      'tolerance',
      'excluded',
    ])
      expect(read.json).not.toHaveProperty(name);
    const tag = { 'if-none-match': read.headers.get('etag')! };
    const again = await service.get(`/api/v1/payments/${shown.id}`, tag);
    expect([again.status, again.text]).toEqual([304, '']);
    await node.mine(1);
    await waitUntil('the tip is judged', async () => {
      return (await service.get(`/api/v1/payments/${shown.id}`, tag)).status === 200;
    });
  });

  test('a payment is found by its identifier, in either case, and by its link, as its address', async () => {
    const { id, payment_uri, recipient } = (
      await post({ recipient: await node.newAddress(), amount: '0.25' })
    ).json;
    const search = async (text: string) =>
      (await service.get(`/api/v1/search?q=${encodeURIComponent(text)}`)).json.items;
    const hit = { kind: 'payment', id, path: `/api/v1/payments/${id}` };
    expect(await search(id)).toEqual([hit]);
    expect(await search(id.toLowerCase())).toEqual([hit]);
    expect((await service.get(hit.path)).json.id).toBe(id);
    expect(await search('VP-000000000000')).toEqual([]);
    expect(await search(payment_uri)).toEqual([
      { kind: 'address', id: recipient, path: `/api/v1/address/${recipient}` },
    ]);
  });

  test('an unknown payment is not found, with the key or without', async () => {
    for (const answer of [
      await service.get('/api/v1/payments/VP-000000000000'),
      await service.get('/api/v1/payments/VP-000000000000', { 'if-none-match': '*' }),
      await merchant.post('/api/v1/payments/VP-000000000000/cancel', {}),
      await merchant.post('/api/v1/payments/VP-000000000000/accept', {}),
    ])
      expect([answer.status, answer.json.code]).toEqual([404, 'payment_not_found']);
  });

  describe('what is refused stores nothing', () => {
    let recipient: string;
    beforeAll(async () => {
      recipient = await node.newAddress();
    });
    const huge = '9'.repeat(20);
    test.each<[string, number, string, Record<string, unknown>]>([
      ['no recipient and no pool', 400, 'invalid_body', { recipient: undefined }],
      ['recipient and pool', 400, 'invalid_body', { use_address_pool: true }],
      ['a pool of "yes"', 400, 'invalid_body', { recipient: undefined, use_address_pool: 'yes' }],
      ['a number as recipient', 400, 'invalid_body', { recipient: 7 }],
      ['an empty recipient', 400, 'invalid_body', { recipient: '' }],
      ['a recipient that is too long', 400, 'invalid_body', { recipient: 'a'.repeat(256) }],
      ['an address of bitcoin', 400, 'address_invalid', { recipient: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }],
      [
        'a mistyped address',
        400,
        'address_invalid',
        { recipient: 'rltc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq' },
      ],
      ['a name that nobody has', 422, 'recipient_unresolved', { recipient: 'alice.coin' }],
      ['no amount', 400, 'invalid_body', { amount: undefined }],
      ['a number as amount', 400, 'invalid_body', { amount: 1 }],
      ['an amount of 0', 400, 'amount_invalid', { amount: '0' }],
      ['an amount of 0.00000000', 400, 'amount_invalid', { amount: '0.00000000' }],
      ['a negative amount', 400, 'invalid_body', { amount: '-1' }],
      ['an exponent', 400, 'invalid_body', { amount: '1e3' }],
      ['nine decimals', 400, 'amount_invalid', { amount: '0.000000001' }],
      ['leading zeros', 400, 'amount_invalid', { amount: '01' }],
      ['more than all coins', 400, 'amount_invalid', { amount: huge }],
      ['an amount with spaces', 400, 'invalid_body', { amount: ' 1' }],
      ['Arabic digits', 400, 'invalid_body', { amount: '١' }],
      ['a description of 501 characters', 400, 'invalid_body', { description: 'a'.repeat(501) }],
      ['a NUL in the description', 400, 'invalid_body', { description: 'a\0b' }],
      ['half a character in the description', 400, 'invalid_body', { description: '\ud800' }],
      ['a null description', 400, 'invalid_body', { description: null }],
      ['-1 confirmations', 400, 'invalid_body', { confirmations_required: -1 }],
      ['101 confirmations', 400, 'invalid_body', { confirmations_required: 101 }],
      ['1.5 confirmations', 400, 'invalid_body', { confirmations_required: 1.5 }],
      ['"2" confirmations', 400, 'invalid_body', { confirmations_required: '2' }],
      [
        '0 confirmations for too much',
        422,
        'confirmations_too_few',
        { confirmations_required: 0, amount: '1.00000001' },
      ],
      ['59 seconds', 400, 'invalid_body', { expires_in: 59 }],
      ['too many seconds', 400, 'invalid_body', { expires_in: 2_592_001 }],
      ['a text as seconds', 400, 'invalid_body', { expires_in: '3600' }],
      ['a relative webhook', 422, 'webhook_url_refused', { webhook_url: '/webhook/path' }],
      ['a webhook without TLS', 422, 'webhook_url_refused', { webhook_url: 'http://shop.example/' }],
      ['a webhook into this machine', 422, 'webhook_url_refused', { webhook_url: 'https://127.0.0.1/' }],
      [
        'a webhook into this machine, written oddly',
        422,
        'webhook_url_refused',
        { webhook_url: 'https://0x7f.1/' },
      ],
      ['a webhook with a password', 422, 'webhook_url_refused', { webhook_url: 'https://u:p@shop.example/' }],
      [
        'a webhook of 2,001 characters',
        400,
        'invalid_body',
        { webhook_url: `https://a.example/${'a'.repeat(1983)}` },
      ],
      ['an unknown field', 400, 'invalid_body', { currency: 'EUR' }],
      ['a private key', 400, 'private_key_refused', { description: wif }],
    ])('%s: %i %s', async (_, status, code, change) => {
      const before = await countRows(precious);
      const answer = await post({ recipient, amount: '1', ...change });
      expect([answer.status, answer.json?.code], answer.text).toEqual([status, code]);
      expect(answer.json.detail).not.toBe('');
      expect(await countRows(precious)).toEqual(before);
    });

    test.each([
      ['none', undefined],
      ['an empty one', ''],
      ['text', 'key'],
      ['one that nobody has', `cfk_${'A'.repeat(43)}`],
    ])('a request with a wrong API key: %s', async (_, key) => {
      const before = await countRows(precious);
      const headers = key === undefined ? undefined : { 'x-coin-pay-api-key': key };
      const answer = await service.post('/api/v1/payments', { recipient, amount: '1' }, headers);
      expect([answer.status, answer.json.code]).toEqual([401, 'api_key_invalid']);
      expect(answer.headers.get('www-authenticate')).toBe('X-COIN-Pay-API-Key');
      expect(await countRows(precious)).toEqual(before);
    });

    test('an empty pool', async () => {
      const before = await countRows(precious);
      const answer = await post({ use_address_pool: true, amount: '1' }, { 'idempotency-key': 'empty pool' });
      expect([answer.status, answer.json.code]).toEqual([409, 'pool_exhausted']);
      expect(await countRows(precious)).toEqual(before);
    });
  });

  test('0 confirmations are allowed up to the amount of the profile', async () => {
    const terms = { recipient: await node.newAddress(), amount: '1', confirmations_required: 0 };
    expect((await post(terms)).status).toBe(201);
    const { json } = await service.get('/api/v1/config');
    expect(json.payments.zero_conf_max).toBe('1.00000000');
  });

  test('of 20 payments to one recipient at once, one is made and the others are told that it is busy', async () => {
    const recipient = await node.newAddress();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ recipient, amount: '1' })));
    const codes = answers.map(({ status, json }) => (status === 201 ? 'made' : json.code)).sort();
    expect(codes).toEqual(['made', ...new Array(19).fill('recipient_busy')]);
  });

  describe('an Idempotency-Key', () => {
    test('gets the same bytes again, whatever became of the payment, and a changed body is refused', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const body = { recipient: await node.newAddress(), amount: '1', description: 'once' };
      const first = await post(body, key);
      expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
      await merchant.post(`/api/v1/payments/${first.json.id}/cancel`, {});
      const before = await countRows(precious);
      const { recipient, amount, description } = body;
      const again = await post({ description, amount, recipient }, key);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(again.text).toBe(first.text);
      const other = await post({ ...body, amount: '2' }, key);
      expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
      expect(await countRows(precious)).toEqual(before);
    });

    test('is of its merchant alone', async () => {
      const key = { 'idempotency-key': 'order 1' };
      const [one, two] = [await node.newAddress(), await node.newAddress()];
      expect((await post({ recipient: one, amount: '1' }, key)).status).toBe(201);
      const other = await suite.createMerchant();
      const answer = await other.post('/api/v1/payments', { recipient: two, amount: '2' }, key);
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
    });

    test('sent ten times at once makes one payment; the others get its answer or are told to wait', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const body = { recipient: await node.newAddress(), amount: '1' };
      const before = await countRows(precious);
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(body, key)));
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const { status, json } of answers)
        if (status !== 201) expect([status, json.code]).toEqual([409, 'idempotency_key_in_use']);
      const after = await countRows(precious);
      expect(after).toMatchObject({ payment: before.payment! + 1, idempotency: before.idempotency! + 1 });
      expect((await post(body, key)).text).toBe(made[0]!.text);
    });

    test('is not spent by a request that was refused', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const recipient = await node.newAddress();
      expect((await post({ recipient, amount: '0' }, key)).status).toBe(400);
      expect((await post({ recipient, amount: '1' }, key)).status).toBe(201);
    });

    test('is forgotten after 24 hours', async () => {
      const key = randomUUID();
      const body = { recipient: await node.newAddress(), amount: '1' };
      expect((await post(body, { 'idempotency-key': key })).status).toBe(201);
      await precious
        .query<PaymentTables>()
        .updateTable('idempotency')
        .set({ created_at: Date.now() - 86_400_001 })
        .where('key', '=', key)
        .execute();
      const answer = await post({ ...body, amount: '2' }, { 'idempotency-key': key });
      expect([answer.status, answer.json.code]).toEqual([409, 'recipient_busy']);
    });

    test.each(['', 'é', 'x'.repeat(256)])('that is none is refused: %j', async (key) => {
      const body = { recipient: await node.newAddress(), amount: '1' };
      const answer = await post(body, { 'idempotency-key': key });
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_parameter']);
    });
  });

  test('what the address had received before, in the mempool or in blocks, is not counted', async () => {
    const recipient = await node.newAddress();
    await node.rpc('sendtoaddress', recipient, 0.3);
    await node.mine(1);
    await node.rpc('sendtoaddress', recipient, 0.2);
    await service.waitForTip();
    await service.waitForMempool();
    const { json } = await post({ recipient, amount: '0.5', confirmations_required: 1 });
    await node.mine(1);
    await node.rpc('sendtoaddress', recipient, 0.5);
    await waitForStatus(json.id, 'detected');
    const read = await service.get(`/api/v1/payments/${json.id}`);
    expect(read.json.received.seen).toBe('0.50000000');
    expect(read.json.transactions).toHaveLength(1);
  });

  test('nor is it when a reorganisation puts it into a block above the payment', async () => {
    const recipient = await node.newAddress();
    await node.rpc('sendtoaddress', recipient, 0.3);
    const [hash] = await node.mine(1);
    await service.waitForTip();
    const { json } = await post({ recipient, amount: '0.3', confirmations_required: 1 });
    await node.rpc('invalidateblock', hash);
    // The first block is without it, the second has it again: higher than the payment.
    await node.rpc('generateblock', await node.newAddress(), []);
    await node.mine(1);
    await service.waitForTip();
    await waitUntil('the new tip is judged', async () => {
      const { as_of } = (await service.get(`/api/v1/payments/${json.id}`)).json;
      return as_of?.hash === (await node.rpc('getbestblockhash'));
    });
    const read = await service.get(`/api/v1/payments/${json.id}`);
    expect(read.json).toMatchObject({ status: 'open', received: { seen: '0.00000000' }, transactions: [] });
  });

  test('the list goes through all payments once, and finds by status, identifier, address, txid and words', async () => {
    const other = await suite.createMerchant();
    const made: ServiceAnswer['json'][] = [];
    for (let i = 0; i < 7; i++) {
      const description = `Ordnung Äpfel 100%_${i}`;
      const body = { recipient: await node.newAddress(), amount: '1', description };
      made.unshift((await other.post('/api/v1/payments', body)).json);
    }
    const list = async (query: string) => (await other.get(`/api/v1/payments?${query}`)).json;
    const ids = (items: { id: string }[]) => items.map(({ id }) => id);
    const pages = [];
    for (let cursor = ''; ; ) {
      const page = await list(`limit=3${cursor}`);
      pages.push(...ids(page.items));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect([...pages].sort()).toEqual(ids(made).sort());
    const { items } = await list('');
    const times = items.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual([...times].sort().reverse());

    const [target] = made;
    await other.post(`/api/v1/payments/${made[3].id}/cancel`, {});
    const txid = await node.rpc<string>('sendtoaddress', target.address, 1);
    await waitForStatus(target.id, 'detected');
    expect(ids((await list('status=cancelled')).items)).toEqual([made[3].id]);
    for (const q of [target.id, target.id.toLowerCase(), target.address, txid, '100%_6'])
      expect(ids((await list(`q=${encodeURIComponent(q)}`)).items), q).toEqual([target.id]);
    expect((await list('q=ordnung&limit=100')).items).toHaveLength(7);
    expect((await list(`q=${encodeURIComponent('Äpfel')}`)).items).toHaveLength(7);
    expect((await list('q=100x')).items).toEqual([]);
    // What is another merchant's is not found.
    expect((await merchant.get(`/api/v1/payments?q=${target.id}`)).json.items).toEqual([]);
    expect((await merchant.post(`/api/v1/payments/${made[1].id}/cancel`, {})).status).toBe(404);
    const { next_cursor } = await list('limit=3');
    const foreign = await merchant.get(`/api/v1/payments?cursor=${next_cursor}`);
    expect([foreign.status, foreign.json.code]).toEqual([400, 'invalid_cursor']);
  });

  test('cancelling is for payments that are not over, accepting for those whose money came too late; each can be asked twice', async () => {
    const recipient = await node.newAddress();
    const { id } = (await post({ recipient, amount: '0.4' })).json;
    const act = (action: string) => merchant.post(`/api/v1/payments/${id}/${action}`, {});
    const early = await act('accept');
    expect([early.status, early.json.code]).toEqual([409, 'payment_not_acceptable']);

    const cancelled = await act('cancel');
    expect([cancelled.status, cancelled.json.status, cancelled.json.sequence]).toEqual([200, 'cancelled', 2]);
    expect(cancelled.json.cancelled_at).not.toBeNull();
    const repeated = await act('cancel');
    expect([repeated.status, repeated.json.sequence]).toEqual([200, 2]);
    expect((await act('accept')).json.code).toBe('payment_not_acceptable');

    await node.rpc('sendtoaddress', recipient, 0.4);
    await waitUntil('the late money is told', async () => {
      return (await service.get(`/api/v1/payments/${id}`)).json.received.late === '0.40000000';
    });
    // The address is free again, but not while two would want the next money.
    const second = (await post({ recipient, amount: '0.1' })).json;
    expect((await act('accept')).json.code).toBe('recipient_busy');
    expect((await merchant.post(`/api/v1/payments/${second.id}/cancel`, {})).status).toBe(200);
    const accepted = await act('accept');
    expect(accepted.status, accepted.text).toBe(200);
    expect(accepted.json).toMatchObject({
      accepted_amount: '0.40000000',
      received: { seen: '0.40000000', late: '0.00000000' },
    });
    await waitForStatus(id, 'detected');
    // What is accepted is not accepted anew, whatever came or went.
    const again = await act('accept');
    expect([again.status, again.json.accepted_at]).toEqual([200, accepted.json.accepted_at]);
    expect(again.json).toMatchObject({ status: 'detected', accepted_amount: '0.40000000', sequence: 4 });
    const closed = await act('cancel');
    expect([closed.status, closed.json.accepted_at, closed.json.accepted_amount]).toEqual([200, null, null]);
    expect(closed.json).toMatchObject({ status: 'cancelled', received: { seen: '0.40000000' }, sequence: 5 });
  });
});

/** A private key of nobody, as wallets write it for test networks. */
const wif = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
