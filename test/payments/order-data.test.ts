import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { countRows } from '../harness/precious-rows.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(105);
});
afterAll(() => node.stop());

forEachEngine('what a merchant notes with a payment', (engine) => {
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

  const make = async (noted: Record<string, unknown>, headers?: Record<string, string>, by = merchant) =>
    by.post(
      '/api/v1/payments',
      { recipient: noted.recipient ?? (await node.newAddress()), amount: '1', ...noted },
      headers,
    );
  const listBodies = async (id: string) => {
    const events = await precious
      .query<PaymentTables>()
      .selectFrom('event')
      .select('body')
      .where('payment_id', '=', id)
      .execute();
    return events.map(({ body }) => body);
  };

  test('is for the merchant alone, in every answer of its own; events carry the order', async () => {
    const secret = 'wholly-private';
    const metadata = { [secret]: [1, { note: secret }] };
    const noted = { order_id: `order ${secret}`, metadata };
    const made = await make({ ...noted, description: 'Tea' });
    expect(made.status, made.text).toBe(201);
    expect(made.json).toMatchObject(noted);
    const { id } = made.json;

    const { json: read } = await merchant.get(`/api/v1/merchant/payments/${id}`);
    expect(read).toEqual({ ...made.json, as_of: read.as_of, updated_at: read.updated_at });
    expect((await merchant.get(`/api/v1/payments?q=${id}`)).json.items[0]).toMatchObject(noted);

    await node.rpc('sendtoaddress', made.json.address, 0.4);
    await waitUntil('money is seen', async () => {
      return (await service.get(`/api/v1/payments/${id}`)).json.status === 'underpaid';
    });
    const accepted = await merchant.post(`/api/v1/payments/${id}/accept`, {});
    expect([accepted.status, accepted.json]).toEqual([200, expect.objectContaining(noted)]);
    const cancelled = await merchant.post(`/api/v1/payments/${id}/cancel`, {});
    expect([cancelled.status, cancelled.json]).toEqual([200, expect.objectContaining(noted)]);

    for (const path of [`/api/v1/payments/${id}`, `/pay/${id}`]) {
      const shown = await service.get(path);
      expect([shown.status, shown.text.includes(secret)], path).toEqual([200, false]);
    }
    const bodies = await listBodies(id);
    expect(bodies.length).toBeGreaterThanOrEqual(3);
    for (const body of bodies) {
      const { data } = JSON.parse(body);
      expect(data.order_id).toBe(noted.order_id);
      expect(JSON.stringify({ ...data, order_id: null })).not.toContain(secret);
    }
  });

  test('is null where nothing was noted', async () => {
    const { json } = await make({});
    expect([json.order_id, json.metadata]).toEqual([null, null]);
    expect(JSON.parse((await listBodies(json.id))[0]!).data.order_id).toBeNull();
  });

  test('another merchant does not find it, and nobody without a key', async () => {
    const { id } = (await make({ order_id: 'mine' })).json;
    const other = await suite.createMerchant();
    const foreign = await other.get(`/api/v1/merchant/payments/${id}`);
    expect([foreign.status, foreign.json.code]).toEqual([404, 'payment_not_found']);
    const unknown = await merchant.get('/api/v1/merchant/payments/VP-000000000000');
    expect([unknown.status, unknown.json.code]).toEqual([404, 'payment_not_found']);
    expect((await service.get(`/api/v1/merchant/payments/${id}`)).status).toBe(401);
    expect((await other.get('/api/v1/payments?order_id=mine')).json.items).toEqual([]);
  });

  test('metadata come back to the last digit', async () => {
    const text =
      '{"price":1.0,"id":12345678901234567890,"zero":-0,"text":"\\u0000 é \\ud83d\\udca5","7":"007"}';
    const recipient = await node.newAddress();
    const answer = await fetch(`${service.origin}/api/v1/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-coin-pay-api-key': merchant.apiKey },
      // With a byte order mark, which some clients send.
      body: `\ufeff{"recipient":"${recipient}","amount":"1","metadata": ${text}}`,
    });
    const kept = '{"7":"007","price":1.0,"id":12345678901234567890,"zero":-0,"text":"\\u0000 é 💥"}';
    const body = await answer.text();
    expect(body).toContain(`"metadata":${kept}`);
    const read = await merchant.get(`/api/v1/merchant/payments/${JSON.parse(body).id}`);
    expect(read.text).toContain(`"metadata":${kept}`);
  });

  test.each<[string, Record<string, unknown>]>([
    ['an empty order', { order_id: '' }],
    ['an order of 101 characters', { order_id: 'a'.repeat(101) }],
    ['a line break in an order', { order_id: 'a\nb' }],
    ['a C1 control in an order', { order_id: 'a\u0085b' }],
    ['half a character in an order', { order_id: 'a\ud800' }],
    ['a number as order', { order_id: 7 }],
    ['a null order', { order_id: null }],
    ['unique without an order', { unique_order_id: true }],
    ['"yes" as unique', { order_id: 'a', unique_order_id: 'yes' }],
    ['a text as metadata', { metadata: '{}' }],
    ['a list as metadata', { metadata: [] }],
    ['null as metadata', { metadata: null }],
    ['too much metadata', { metadata: { a: 'a'.repeat(4_096 - '{"a":""}'.length + 1) } }],
    ['metadata too deep', { metadata: { a: [[[[[[[[]]]]]]]] } }],
    ['half a character in metadata', { metadata: { a: ['\udfff'] } }],
  ])('refused and not stored is %s', async (_, noted) => {
    const before = await countRows(precious);
    const answer = await make(noted);
    expect([answer.status, answer.json?.code], answer.text).toEqual([400, 'invalid_body']);
    expect(await countRows(precious)).toEqual(before);
  });

  test.each([
    ['a key that is there twice', '{"a":1,"a":2}', 'invalid_body'],
    ['a key that reaches a prototype', '{"__proto__":{"a":1}}', undefined],
    ['metadata thousands deep', `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`, 'invalid_body'],
    ['a private key', '{"a":"cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA"}', 'private_key_refused'],
  ])('refused is %s', async (_, metadata, code) => {
    const answer = await fetch(`${service.origin}/api/v1/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-coin-pay-api-key': merchant.apiKey },
      body: `{"recipient":"${await node.newAddress()}","amount":"1","metadata":${metadata}}`,
    });
    const problem = (await answer.json()) as { code: string };
    expect(answer.status).toBe(400);
    if (code !== undefined) expect(problem.code).toBe(code);
  });

  describe('an order that is to have one payment', () => {
    const unique = (order_id: string) => ({ order_id, unique_order_id: true });

    test('is refused another while the first is under way, with the name of that one', async () => {
      const first = await make({ order_id: 'one' });
      const before = await countRows(precious);
      const second = await make(unique('one'));
      expect([second.status, second.json.code]).toEqual([409, 'order_id_used']);
      expect(second.json.detail).toContain(first.json.id);
      expect(await countRows(precious)).toEqual(before);
      // Who does not ask for it is not held to it.
      expect((await make({ order_id: 'one' })).status).toBe(201);
    });

    test('gets another when the first was cancelled, or has expired', async () => {
      const first = (await make(unique('again'))).json;
      await merchant.post(`/api/v1/payments/${first.id}/cancel`, {});
      const second = await make(unique('again'));
      expect(second.status, second.text).toBe(201);
      await precious
        .query<PaymentTables>()
        .updateTable('payment')
        .set({ status: 'expired', reason: 'unpaid', check_at: null, is_due: 0 })
        .where('id', '=', second.json.id)
        .execute();
      expect((await make(unique('again'))).status).toBe(201);
    });

    test.each(['expired', 'cancelled'] as const)(
      'is refused another when the first was %s and is accepted, judged or not',
      async (status) => {
        const { id } = (await make(unique(`accepted ${status}`))).json;
        const payment = () => precious.query<PaymentTables>().updateTable('payment').where('id', '=', id);
        // As it is between the acceptance and the next look at the chain.
        const accepted = { accepted_at: Date.now(), accepted_amount: '5', check_at: null, is_due: 0 };
        await payment()
          .set({ status, reason: null, ...accepted })
          .execute();
        const refused = await make(unique(`accepted ${status}`));
        expect([refused.status, refused.json.code]).toEqual([409, 'order_id_used']);
        expect(refused.json.detail).toContain(`${id} already, which is accepted`);
      },
    );

    test('is of its merchant alone', async () => {
      const other = await suite.createMerchant();
      expect((await make(unique('common'))).status).toBe(201);
      expect((await make(unique('common'), {}, other)).status).toBe(201);
    });

    test('has one of 20 that are asked for at once', async () => {
      const recipients: string[] = [];
      while (recipients.length < 20) recipients.push(await node.newAddress());
      const answers = await Promise.all(
        recipients.map((recipient) => make({ ...unique('at once'), recipient })),
      );
      const codes = answers.map(({ status, json }) => (status === 201 ? 'made' : json.code)).sort();
      expect(codes).toEqual(['made', ...new Array(19).fill('order_id_used')]);
    });

    test('answers an Idempotency-Key as it did the first time', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const body = { recipient: await node.newAddress(), amount: '1', ...unique('repeated') };
      const first = await merchant.post('/api/v1/payments', body, key);
      const again = await merchant.post('/api/v1/payments', body, key);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(again.text).toBe(first.text);
    });

    test('an Idempotency-Key is for these metadata, to the last digit', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const recipient = await node.newAddress();
      const send = async (digits: string) => {
        const answer = await fetch(`${service.origin}/api/v1/payments`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-coin-pay-api-key': merchant.apiKey, ...key },
          body: `{"recipient":"${recipient}","amount":"1","metadata":{"id":${digits}}}`,
        });
        return [answer.status, ((await answer.json()) as { code?: string }).code];
      };
      expect(await send('12345678901234567890')).toEqual([201, undefined]);
      expect(await send('12345678901234567891')).toEqual([422, 'idempotency_key_reused']);
    });
  });
});
