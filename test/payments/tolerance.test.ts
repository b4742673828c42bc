import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin } from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 23_000;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 40, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('an underpayment tolerance', (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;
  let merchant: TestMerchant;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ service, desk } = suite);
    merchant = await suite.createMerchant();
  });
  afterAll(() => suite.close());

  const create = (tolerance: object | undefined, amount = '0.003') =>
    merchant.post('/api/v1/payments', {
      recipient: addressOfOwner(++lastOwner),
      amount,
      confirmations_required: 1,
      ...(tolerance === undefined ? {} : { tolerance }),
    });
  const pay = (value: bigint) => mineExactly(node, [payOwner(nextCoin(), lastOwner, value)]);

  test('of one percent lets pass what an exchange took out, and shows it; the payer is asked for all', async () => {
    const { json } = await create({ percent: 1 });
    expect(json).toMatchObject({ tolerance: '0.00003000', tolerated: '0.00000000', remaining: '0.00300000' });
    await pay(297_000n);
    await desk.waitFor(json.id, 'paid');
    expect((await service.get(`/api/v1/payments/${json.id}`)).json).toMatchObject({
      status: 'paid',
      tolerated: '0.00003000',
      remaining: '0.00000000',
      paid_at: expect.any(String),
      settled_at: expect.any(String),
    });
    expect((await desk.lastEvent(json.id)).data.payment.tolerated).toBe('0.00003000');
  });

  test('lets pass one unit less than that, and not two', async () => {
    const { json } = await create({ percent: 1 });
    await pay(296_999n);
    await desk.waitFor(json.id, 'underpaid');
    const { json: seen } = await service.get(`/api/v1/payments/${json.id}`);
    expect(seen).toMatchObject({ remaining: '0.00003001', tolerated: '0.00000000', paid_at: null });
    expect(seen.tolerance).toBeUndefined();
    await pay(1n + 600n);
    await desk.waitFor(json.id, 'paid');
  });

  test('is bounded by an amount', async () => {
    const { json } = await create({ percent: 50, max_amount: '0.00001' });
    expect(json.tolerance).toBe('0.00001000');
    await pay(298_999n);
    await desk.waitFor(json.id, 'underpaid');
  });

  test('is none unless asked for', async () => {
    const { json } = await create(undefined);
    expect(json.tolerance).toBe('0.00000000');
    await pay(299_999n);
    await desk.waitFor(json.id, 'underpaid');
  });

  test.each([
    ['a negative percentage', { percent: -1 }],
    ['more than half', { percent: 50.01 }],
    ['a third decimal', { percent: 0.125 }],
    ['a text', { percent: '1' }],
    ['no percentage', { max_amount: '1' }],
    ['a number as amount', { percent: 1, max_amount: 1 }],
    ['an unknown field', { percent: 1, min: 2 }],
  ])('of %s is refused', async (_, tolerance) => {
    const { status, json } = await create(tolerance);
    expect([status, json.code]).toEqual([400, 'invalid_body']);
  });

  test('with an amount of too many decimals is refused', async () => {
    const { json } = await create({ percent: 1, max_amount: '0.000000001' });
    expect(json.code).toBe('amount_invalid');
  });
});
