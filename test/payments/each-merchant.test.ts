import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { runAdmin, type TestMerchant } from '../harness/merchant.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin } from '../harness/raw-coins.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;
const AMOUNT_TEXT = '0.003';

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 22_000;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 40, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('a merchant whose addresses a stranger names', (engine) => {
  let suite: DeskSuite;
  let database: DatabaseLocation;
  let desk: PaymentDesk;
  let owner: TestMerchant;
  let stranger: TestMerchant;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ database, desk } = suite);
    [owner, stranger] = [await suite.createMerchant(), await suite.createMerchant()];
  });
  afterAll(() => suite.close());

  const nextAddress = () => addressOfOwner(++lastOwner);
  const create = (merchant: TestMerchant, recipient: string) =>
    merchant.post('/api/v1/payments', { recipient, amount: AMOUNT_TEXT, confirmations_required: 1 });
  const importInto = (merchant: TestMerchant, addresses: string[]) =>
    merchant.post('/api/v1/merchant/addresses', { addresses });
  const remove = (merchant: TestMerchant, addresses: string[]) =>
    merchant.post('/api/v1/merchant/addresses/remove', { addresses });
  const admin = (...args: string[]) => runAdmin(database, args);

  test("has its payments whatever the stranger's wait for, each with an account of the money of its own", async () => {
    const address = nextAddress();
    const theirs = await create(stranger, address);
    expect(theirs.status, theirs.text).toBe(201);
    const ours = await create(owner, address);
    expect(ours.status, ours.text).toBe(201);
    expect((await create(owner, address)).json.code).toBe('recipient_busy');
    await mineExactly(node, [payOwner(nextCoin(), lastOwner, AMOUNT)]);
    for (const { json } of [ours, theirs]) await desk.waitFor(json.id, 'paid');
    // What the other has closed is late for him alone.
    const next = await create(owner, address);
    expect(next.status, next.text).toBe(201);
    const closed = await create(stranger, address);
    await stranger.post(`/api/v1/payments/${closed.json.id}/cancel`, {});
    await mineExactly(node, [payOwner(nextCoin(), lastOwner, AMOUNT)]);
    await desk.waitFor(next.json.id, 'paid');
    await desk.waitUntilRow(closed.json.id, 'has late money', ({ late }) => late === String(AMOUNT));
    expect(await desk.row(ours.json.id)).toMatchObject({ status: 'paid', seen: String(AMOUNT), late: '0' });
  });

  test('can name an address that the stranger has in his pool, and import one that he named', async () => {
    const [pooled, named] = [nextAddress(), nextAddress()];
    expect((await importInto(stranger, [pooled])).json.imported).toBe(1);
    expect((await create(owner, pooled)).status).toBe(201);
    expect((await create(stranger, named)).status).toBe(201);
    expect((await importInto(owner, [named])).json.imported).toBe(1);
    expect((await create(owner, named)).json.code).toBe('address_in_pool');
  });

  test('gets an address back that the stranger imported: he removes it, or the operator releases or moves it', async () => {
    const addresses = [nextAddress(), nextAddress(), nextAddress()] as const;
    await importInto(stranger, [...addresses]);
    expect((await importInto(owner, [...addresses])).json.imported).toBe(0);

    expect((await remove(stranger, [addresses[0]])).json).toMatchObject({ removed: 1 });
    expect((await importInto(owner, [addresses[0]])).json.imported).toBe(1);

    const released = await admin('addresses', 'release', addresses[1], '--json');
    expect(JSON.parse(released.stdout)).toEqual({ address: addresses[1], from: stranger.id, to: null });
    expect((await importInto(owner, [addresses[1]])).json.imported).toBe(1);

    const moved = await admin('addresses', 'move', addresses[2], '--to', owner.id);
    expect(moved).toMatchObject({ code: 0, stdout: expect.stringContaining(owner.id) });
    const { items } = (await owner.get('/api/v1/merchant/addresses')).json;
    expect(items.at(-1)).toMatchObject({ address: addresses[2], state: 'ready' });
  });

  test('is not given into its pool what a payment of its had: the pool would lease it again', async () => {
    const address = nextAddress();
    await importInto(stranger, [address]);
    await create(owner, address);
    const moved = await admin('addresses', 'move', address, '--to', owner.id);
    expect(moved).toMatchObject({ code: 1, stderr: expect.stringContaining('addresses release') });
    expect((await admin('addresses', 'release', address)).code).toBe(0);
  });

  test('keeps what was leased: neither its merchant nor the operator takes it out of the pool', async () => {
    const merchant = await suite.createMerchant();
    const address = nextAddress();
    await importInto(merchant, [address]);
    await merchant.post('/api/v1/payments', { use_address_pool: true, amount: AMOUNT_TEXT });
    const unknown = nextAddress();
    const { json } = await remove(merchant, [address.toUpperCase(), unknown, 'no address']);
    expect(json.removed).toBe(0);
    expect(json.results.map(({ code }: { code: string }) => code)).toEqual([
      'was_leased',
      'not_in_pool',
      'not_in_pool',
    ]);
    for (const args of [
      ['release', address],
      ['release', unknown],
      ['move', address, '--to', owner.id],
      ['move', address],
    ])
      expect((await admin('addresses', ...args)).code).not.toBe(0);
    expect((await merchant.get('/api/v1/merchant')).json.pool).toMatchObject({ leased: 1 });
  });

  test.each([
    ['no list', {}],
    ['an empty list', { addresses: [] }],
    ['too many', { addresses: Array.from({ length: 1_001 }, () => 'a') }],
    ['an unknown field', { addresses: ['a'], force: true }],
  ])('is told when a removal has %s', async (_, body) => {
    const { status, json } = await owner.post('/api/v1/merchant/addresses/remove', body);
    expect([status, json.code]).toEqual([400, 'invalid_body']);
  });
});
