import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

/** An account of a wallet that nobody has, on test networks. */
const account = HDKey.fromMasterSeed(randomBytes(32), { public: 0x043587cf, private: 0x04358394 }).derive(
  "m/84'/1'/0'",
);
const accountKey = account.publicExtendedKey;

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
});
afterAll(() => node.stop());

/** Fresh addresses of the node's wallet. */
async function newAddresses(count: number): Promise<string[]> {
  return await Promise.all(Array.from({ length: count }, () => node.newAddress()));
}

forEachEngine('address pools', (engine) => {
  let suite: Suite;
  let service: TestService;
  let database: DatabaseLocation;
  let precious: Precious;
  let shopkeeper: TestMerchant | undefined;

  beforeAll(async () => {
    suite = await openSuite(engine, node.url);
    ({ database, service, precious } = suite);
  });
  afterAll(() => suite.close());

  const importInto = (merchant: TestMerchant, body: object) =>
    merchant.post('/api/v1/merchant/addresses', body);
  const create = (merchant: TestMerchant) =>
    merchant.post('/api/v1/payments', { use_address_pool: true, amount: '1' });
  const listEvents = (merchant: TestMerchant) =>
    precious
      .query<PaymentTables>()
      .selectFrom('event')
      .select(['type', 'sequence', 'body'])
      .where('merchant_id', '=', merchant.id)
      .where('payment_id', 'is', null)
      .orderBy('sequence')
      .execute();

  test('200 creates at once on 150 addresses: 150 distinct leases, 50 refusals, and each event once', async () => {
    const merchant = await createTestMerchant(service, database, ['--pool-low', '20']);
    const addresses = await newAddresses(150);
    const imported = await importInto(merchant, { addresses });
    expect([imported.status, imported.json.imported, imported.json.refused]).toEqual([200, 150, 0]);

    const answers = await Promise.all(Array.from({ length: 200 }, () => create(merchant)));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status, json }) => status === 409 && json.code === 'pool_exhausted');
    expect([made.length, refused.length]).toEqual([150, 50]);
    expect(new Set(made.map(({ json }) => json.address))).toEqual(new Set(addresses));

    const { json } = await merchant.get('/api/v1/merchant');
    expect(json.pool).toEqual({ ready: 0, leased: 150, retired: 0, low_threshold: 20 });
    const events = await listEvents(merchant);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['pool.low', 1],
      ['pool.exhausted', 2],
    ]);
    expect(JSON.parse(events[0]!.body).data).toEqual({ ready: 19, threshold: 20 });
    const payments = await precious
      .query<PaymentTables>()
      .selectFrom('payment')
      .select('id')
      .where('merchant_id', '=', merchant.id)
      .execute();
    expect(payments).toHaveLength(150);
  });

  test('addresses are leased in the order of import, and listed with their payments', async () => {
    const merchant = await suite.createMerchant();
    const addresses = await newAddresses(5);
    await importInto(merchant, { addresses });
    const made = [await create(merchant), await create(merchant)].map(({ json }) => json);
    expect(made.map(({ address }) => address)).toEqual(addresses.slice(0, 2));
    expect(made[0]).toMatchObject({ recipient: null, use_address_pool: true });

    const first = (await merchant.get('/api/v1/merchant/addresses?limit=3')).json;
    const second = (await merchant.get(`/api/v1/merchant/addresses?limit=3&cursor=${first.next_cursor}`))
      .json;
    expect(second.next_cursor).toBeNull();
    const items = [...first.items, ...second.items];
    expect(items.map(({ address }) => address)).toEqual(addresses);
    expect(items.map(({ state }) => state)).toEqual(['leased', 'leased', 'ready', 'ready', 'ready']);
    expect(items[0]).toMatchObject({ payment_id: made[0]?.id, path: null });
    const ready = (await merchant.get('/api/v1/merchant/addresses?state=ready')).json.items;
    expect(ready).toHaveLength(3);
    const moved = await merchant.get(`/api/v1/merchant/addresses?state=ready&cursor=${first.next_cursor}`);
    expect([moved.status, moved.json.code]).toEqual([400, 'invalid_cursor']);
  });

  test('each address of an import gets its own answer', async () => {
    const [merchant, other] = [await suite.createMerchant(), await suite.createMerchant()];
    const [fresh, theirs, inUse, used, pending] = (await newAddresses(5)) as [string, ...string[]];
    await importInto(other, { addresses: [theirs] });
    const payment = await merchant.post('/api/v1/payments', { recipient: inUse, amount: '1' });
    expect(payment.status, payment.text).toBe(201);
    await node.mine(1, used);
    await service.waitForTip();
    await node.rpc('sendtoaddress', pending, 0.1);
    await service.waitForMempool();
    const wrong = `${fresh.slice(0, -1)}${fresh.endsWith('q') ? 'p' : 'q'}`;
    const { status, json } = await importInto(merchant, {
      addresses: [
        ...[fresh, fresh.toUpperCase(), theirs, inUse, used, pending, wrong],
        'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      ],
    });
    expect([status, json.imported, json.refused]).toEqual([200, 1, 7]);
    expect(json.results.map((each: { code: string | null }) => each.code)).toEqual([
      null,
      'duplicate',
      'already_imported',
      'address_in_use',
      'address_has_history',
      'address_has_history',
      'address_invalid',
      'address_invalid',
    ]);
    const again = (await importInto(merchant, { addresses: [fresh] })).json;
    expect([again.imported, again.results[0].code]).toEqual([0, 'already_imported']);
    const given = await merchant.post('/api/v1/payments', { recipient: fresh, amount: '1' });
    expect([given.status, given.json.code]).toEqual([409, 'address_in_pool']);
  });

  test('two imports of the same addresses at once give each to one merchant', async () => {
    const merchants = await Promise.all([1, 2].map(() => suite.createMerchant()));
    const addresses = await newAddresses(40);
    const results = await Promise.all(merchants.map((each) => importInto(each, { addresses })));
    expect(results.map(({ status }) => status)).toEqual([200, 200]);
    const imported = results.map(({ json }) => json.imported);
    expect(imported[0] + imported[1]).toBe(40);
  });

  test('an account key is derived here; a private one is refused', async () => {
    const merchant = await suite.createMerchant();
    const { status, json, text } = await importInto(merchant, { xpub: accountKey, from: 4, count: 3 });
    expect(status, text).toBe(200);
    expect(json.results.map(({ path }: { path: string }) => path)).toEqual(['0/4', '0/5', '0/6']);
    const plain = `wpkh(${accountKey}/0/*)`;
    const { descriptor } = await node.rpc<{ descriptor: string }>('getdescriptorinfo', plain);
    const expected = await node.rpc<string[]>('deriveaddresses', descriptor, [4, 6]);
    expect(json.results.map(({ address }: { address: string }) => address)).toEqual(expected);

    const tprv = account.privateExtendedKey;
    for (const body of [{ xpub: tprv, count: 1 }, { addresses: [expected[0], tprv] }]) {
      const refused = await importInto(merchant, body);
      expect([refused.status, refused.json.code]).toEqual([400, 'private_key_refused']);
      expect(refused.text).not.toContain(tprv);
    }
    expect(service.printed()).not.toContain(tprv.slice(0, 40));
  });

  test('an address that was used after its import is passed over and never leased', async () => {
    const merchant = await suite.createMerchant();
    const [used, fresh] = (await newAddresses(2)) as [string, string];
    await importInto(merchant, { addresses: [used, fresh] });
    await node.rpc('sendtoaddress', used, 0.2);
    await service.waitForMempool();
    expect((await create(merchant)).json.address).toBe(fresh);
    expect((await create(merchant)).json.code).toBe('pool_exhausted');
    const { json } = await merchant.get('/api/v1/merchant');
    expect(json.pool).toMatchObject({ ready: 0, leased: 1, retired: 1 });
  });

  test('a pool that becomes low, or empty, by addresses that were used elsewhere is told of as well', async () => {
    const merchant = await createTestMerchant(service, database, ['--pool-low', '5']);
    const [first, fresh, ...rest] = (await newAddresses(5)) as [string, string, ...string[]];
    await importInto(merchant, { addresses: [first, fresh, ...rest] });
    for (const used of [first, ...rest]) await node.rpc('sendtoaddress', used, 0.01);
    await service.waitForMempool();
    expect((await create(merchant)).json.address).toBe(fresh);
    expect((await create(merchant)).json.code).toBe('pool_exhausted');
    expect((await create(merchant)).json.code).toBe('pool_exhausted');
    const events = await listEvents(merchant);
    expect(events.map(({ type, body }) => [type, JSON.parse(body).data.ready])).toEqual([
      ['pool.low', 3],
      ['pool.exhausted', 0],
    ]);
  });

  test('an address is retired with its cancelled payment', async () => {
    const merchant = await suite.createMerchant();
    await importInto(merchant, { addresses: await newAddresses(1) });
    const { json } = await create(merchant);
    const cancelled = await merchant.post(`/api/v1/payments/${json.id}/cancel`, {});
    expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelled']);
    expect((await merchant.get('/api/v1/merchant')).json.pool).toMatchObject({ leased: 0, retired: 1 });
  });

  test.each([
    ['neither', {}],
    ['both', { addresses: ['a'], xpub: accountKey, count: 1 }],
    ['a key without count', { xpub: accountKey }],
    ['a list with a range', { addresses: ['a'], from: 0 }],
    ['no address', { addresses: [] }],
    ['too many', { addresses: Array.from({ length: 1001 }, () => 'a') }],
    ['a number', { addresses: [1] }],
    ['an unknown field', { addresses: ['a'], label: 'x' }],
    ['a count of 0', { xpub: accountKey, count: 0 }],
    ['a count of 1001', { xpub: accountKey, count: 1001 }],
    ['a hardened index', { xpub: accountKey, from: 2 ** 31 - 1, count: 2 }],
    ['a negative index', { xpub: accountKey, from: -1, count: 2 }],
    ['an unknown script type', { xpub: accountKey, count: 1, script_type: 'p2wsh' }],
    ['a mistyped key', { xpub: accountKey.replace(/.$/, (last) => (last === '8' ? '9' : '8')), count: 1 }],
  ])('an import of %s is refused', async (_, body) => {
    shopkeeper ??= await suite.createMerchant();
    const { status, json } = await importInto(shopkeeper, body);
    expect(status).toBe(400);
    expect(['invalid_body', 'extended_key_invalid']).toContain(json.code);
  });
});
