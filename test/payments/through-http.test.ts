import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin, send } from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;
const AMOUNT_TEXT = '0.003';

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 4_000;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 20, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('a payment made by its merchant', (engine) => {
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

  const post = async (path: string, body: object, status: number) => {
    const answer = await merchant.post(path, body);
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
    return answer.json;
  };
  const countPool = async () => (await merchant.get('/api/v1/merchant')).json.pool;

  test('of the pool is paid, and its address is not retired before it is final; one that expires retires it', async () => {
    const owners = [nextOwner(), nextOwner()] as const;
    await post('/api/v1/merchant/addresses', { addresses: owners.map(addressOfOwner) }, 200);
    const body = { use_address_pool: true, amount: AMOUNT_TEXT, confirmations_required: 1 };
    const paid = await post('/api/v1/payments', body, 201);
    const left = await post('/api/v1/payments', body, 201);
    expect(paid.address).toBe(addressOfOwner(owners[0]));
    await mineExactly(node, [payOwner(nextCoin(), owners[0], AMOUNT)]);
    await desk.waitFor(paid.id, 'paid');
    expect(await countPool()).toMatchObject({ leased: 2, retired: 0 });
    await desk.change(left.id, { expires_at: Date.now() - 1 });
    await desk.waitFor(left.id, 'expired');
    expect(await countPool()).toMatchObject({ leased: 1, retired: 1 });
    await node.mine(99);
    await desk.waitUntilRow(paid.id, 'is final', ({ final }) => final === 1);
    expect(await countPool()).toMatchObject({ leased: 0, retired: 2 });
    expect(await desk.events(paid.id)).toEqual(['payment.created', 'payment.paid']);
  });

  test('is cancelled by its merchant, its money is late, and accepted it is paid', async () => {
    const owner = nextOwner();
    const cancelled = await post(
      '/api/v1/payments',
      { recipient: addressOfOwner(owner), amount: AMOUNT_TEXT, confirmations_required: 1 },
      201,
    );
    await post(`/api/v1/payments/${cancelled.id}/cancel`, {}, 200);
    const hash = await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]);
    await desk.waitUntilRow(cancelled.id, 'has late money', ({ late }) => late === String(AMOUNT));
    await desk.waitForJudged(hash);
    await post(`/api/v1/payments/${cancelled.id}/accept`, {}, 200);
    await desk.waitFor(cancelled.id, 'paid');
    expect(await desk.events(cancelled.id)).toEqual([
      'payment.created',
      'payment.cancelled',
      'payment.late',
      'payment.paid',
    ]);
  });

  test('on an address with money of before counts only what comes after', async () => {
    const owner = nextOwner();
    await service.waitForTip(await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]));
    await send(node, payOwner(nextCoin(), owner, AMOUNT));
    await service.waitForMempool();
    const body = { recipient: addressOfOwner(owner), amount: AMOUNT_TEXT, confirmations_required: 1 };
    const { id } = await post('/api/v1/payments', body, 201);
    await desk.waitForJudged((await node.mine(1))[0]!);
    expect(await desk.row(id)).toMatchObject({ status: 'open', seen: '0', late: '0' });
    await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]);
    expect(await desk.waitFor(id, 'paid')).toMatchObject({ deep: String(AMOUNT) });
    expect((await service.get(`/api/v1/payments/${id}`)).json.transactions).toHaveLength(1);
  });
});
