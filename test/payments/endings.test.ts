import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin, send } from '../harness/raw-coins.ts';
import { replacementArgs, writeTrustingCoin } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, mineEmpty, payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;
const AMOUNT_TEXT = '0.003';
const DUST = 6_000n;
const HOUR = 3_600_000;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 8_000;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 120, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

const pay = (owner: number, value: bigint, coin = nextCoin(), fee = FEE) => payOwner(coin, owner, value, fee);

forEachEngine('a payment ends', (engine) => {
  let suite: DeskSuite;
  let desk: PaymentDesk;
  let merchant: TestMerchant;

  beforeAll(async () => {
    // Without confirmations what paid is replaced here.
    const settings = { COINFRONT_COIN: writeTrustingCoin() };
    suite = await openDeskSuite(engine, node.url, settings);
    ({ desk } = suite);
    merchant = await suite.createMerchant();
  });
  afterAll(() => suite.close());

  const post = async (path: string, body: object, status: number) => {
    const answer = await merchant.post(path, body);
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
    return answer.json;
  };
  const create = (owner: number, confirmations = 1) =>
    post(
      '/api/v1/payments',
      { recipient: addressOfOwner(owner), amount: AMOUNT_TEXT, confirmations_required: confirmations },
      201,
    );

  test('by its expiry when what was seen in full is replaced before; what is sent then is late', async () => {
    const owner = nextOwner();
    const { id } = await create(owner);
    const coin = nextCoin();
    await send(node, pay(owner, AMOUNT, coin));
    await desk.waitFor(id, 'detected');
    await send(node, pay(nextOwner(), AMOUNT, coin, 20n * FEE));
    await desk.waitFor(id, 'open');
    // A block's time has whole seconds: none that comes now is of before.
    await desk.change(id, { expires_at: Date.now() - 1_000 });
    expect(await desk.waitFor(id, 'expired')).toMatchObject({ reason: 'unpaid', held: 0 });
    await mineExactly(node, [pay(owner, AMOUNT)]);
    const row = await desk.waitUntilRow(id, 'has late money', ({ late }) => late === String(AMOUNT));
    expect(row).toMatchObject({ status: 'expired', seen: '0', settled: 0 });
    expect(await desk.events(id)).toEqual([
      'payment.created',
      'payment.detected',
      'payment.open',
      'payment.expired',
      'payment.late',
    ]);
    await create(owner);
  });

  test('by its expiry when the larger part of what was seen in full is replaced; its recipient is free', async () => {
    const owner = nextOwner();
    const { id } = await create(owner);
    const coin = nextCoin();
    const small = await send(node, pay(owner, DUST));
    await send(node, pay(owner, AMOUNT - DUST, coin));
    await desk.waitFor(id, 'detected');
    await send(node, pay(nextOwner(), AMOUNT, coin, 20n * FEE));
    await desk.waitFor(id, 'underpaid');
    await desk.change(id, { expires_at: Date.now() });
    expect(await desk.waitFor(id, 'expired')).toMatchObject({ reason: 'partial', seen: String(DUST) });
    const again = await create(owner);
    await mineExactly(node, [small]);
    await desk.waitUntilRow(id, 'has what came in time', ({ deep }) => deep === String(DUST));
    expect(await desk.row(again.id)).toMatchObject({ status: 'open', seen: '0' });
  });

  test('at once when what was seen in full is replaced after the expiry', async () => {
    const owner = nextOwner();
    const { id } = await create(owner);
    const coin = nextCoin();
    await send(node, pay(owner, AMOUNT, coin));
    await desk.waitFor(id, 'detected');
    await desk.change(id, { expires_at: Date.now() });
    await send(node, pay(owner, DUST, coin, 20n * FEE));
    const row = await desk.waitFor(id, 'expired');
    expect(row).toMatchObject({ reason: 'unpaid', seen: '0', late: String(DUST) });
    expect((await desk.events(id)).slice(-2)).toEqual(['payment.expired', 'payment.late']);
  });

  test('paid when its merchant accepts what came, by one unit less than was asked', async () => {
    const owner = nextOwner();
    const { id } = await create(owner);
    await mineExactly(node, [pay(owner, AMOUNT - 1n)]);
    await desk.waitFor(id, 'underpaid');
    await desk.change(id, { expires_at: Date.now() });
    await desk.waitFor(id, 'expired');
    const accepted = await post(`/api/v1/payments/${id}/accept`, {}, 200);
    expect(accepted).toMatchObject({ accepted_amount: '0.00299999', remaining: '0.00000000' });
    await desk.waitFor(id, 'paid');
    expect((await desk.lastEvent(id)).data.payment).toMatchObject({
      status: 'paid',
      amount: '0.00300000',
      accepted_amount: '0.00299999',
      received: { settled: '0.00299999' },
    });
  });

  test('by its merchant though a stranger sent dust; all that comes then is late', async () => {
    const owner = nextOwner();
    const { id } = await create(owner);
    await send(node, pay(owner, DUST));
    await desk.waitFor(id, 'underpaid');
    const cancelled = await post(`/api/v1/payments/${id}/cancel`, {}, 200);
    expect(cancelled).toMatchObject({ status: 'cancelled', received: { seen: '0.00006000' } });
    await send(node, pay(owner, AMOUNT));
    const row = await desk.waitUntilRow(id, 'has late money', ({ late }) => late === String(AMOUNT));
    expect(row).toMatchObject({ status: 'cancelled', seen: String(DUST) });
    expect(await desk.events(id)).toEqual([
      'payment.created',
      'payment.underpaid',
      'payment.cancelled',
      'payment.late',
    ]);
    await create(owner);
  });

  test('a day after what paid it without confirmations was replaced; its recipient is free then', async () => {
    const owner = nextOwner();
    const { id } = await create(owner);
    await desk.change(id, { confirmations_required: 0 });
    const coin = nextCoin();
    await send(node, pay(owner, AMOUNT, coin));
    await desk.waitFor(id, 'paid');
    await send(node, pay(nextOwner(), AMOUNT, coin, 20n * FEE));
    await desk.waitFor(id, 'reorged');
    await desk.age(id, 25 * HOUR);
    expect(await desk.waitFor(id, 'expired')).toMatchObject({ reason: 'lost', seen: '0' });
    await mineExactly(node, [pay(owner, AMOUNT)]);
    await desk.waitUntilRow(id, 'has late money', ({ late }) => late === String(AMOUNT));
    expect(await desk.events(id)).toEqual([
      'payment.created',
      'payment.paid',
      'payment.reorged',
      'payment.expired',
      'payment.late',
    ]);
    await mineEmpty(node, 1);
    await create(owner);
  });

  test('a day after it was reorganised away; what comes back before makes it paid', async () => {
    const owner = nextOwner();
    const { id } = await create(owner);
    const tx = pay(owner, AMOUNT);
    const hash = await mineExactly(node, [tx]);
    await desk.waitFor(id, 'paid');
    await node.rpc('invalidateblock', hash);
    await desk.waitFor(id, 'reorged');
    await desk.age(id, 23 * HOUR);
    await desk.waitForJudged(await mineExactly(node, [tx]));
    expect(await desk.row(id)).toMatchObject({ status: 'paid', lost_at: null, check_at: null });
    await node.rpc('invalidateblock', await node.rpc('getbestblockhash'));
    await desk.waitFor(id, 'reorged');
    await desk.age(id, 25 * HOUR);
    // It was in sight all the time, and in no block.
    expect(await desk.waitFor(id, 'expired')).toMatchObject({ reason: 'lost', seen: String(AMOUNT) });
    await mineExactly(node, [tx]);
    await desk.waitUntilRow(id, 'has its money, too late', ({ deep }) => deep === String(AMOUNT));
    expect(await desk.row(id)).toMatchObject({ status: 'expired' });
    expect((await desk.events(id)).slice(1)).toEqual([
      'payment.paid',
      'payment.reorged',
      'payment.paid',
      'payment.reorged',
      'payment.expired',
    ]);
  });

  test('by its merchant when it was reorganised away; it stays cancelled when the money comes back', async () => {
    const owner = nextOwner();
    const { id } = await create(owner);
    const coin = nextCoin();
    const hash = await mineExactly(node, [pay(owner, AMOUNT, coin)]);
    await desk.waitFor(id, 'paid');
    await node.rpc('invalidateblock', hash);
    const other = await mineExactly(node, [pay(nextOwner(), AMOUNT, coin, 5n * FEE)]);
    await mineEmpty(node, 1);
    // Between the two branches its money is in the mempool for a moment: what is there when it is cancelled stays its own.
    await desk.waitUntilRow(
      id,
      'has lost its money',
      ({ status, seen }) => status === 'reorged' && seen === '0',
    );
    await post(`/api/v1/payments/${id}/cancel`, {}, 200);
    await create(owner);
    await node.rpc('invalidateblock', other);
    await mineExactly(node, [pay(owner, AMOUNT, coin)]);
    await desk.waitForJudged(await mineEmpty(node, 2));
    expect(await desk.row(id)).toMatchObject({ status: 'cancelled', seen: '0', late: String(AMOUNT) });
    expect((await desk.events(id)).slice(-2)).toEqual(['payment.cancelled', 'payment.late']);
  });

  test('a day after its expiry when no block took up what was seen in time', async () => {
    const [owner, other] = [nextOwner(), nextOwner()];
    const ids = [(await create(owner, 3)).id, (await create(other, 3)).id] as const;
    await send(node, pay(owner, AMOUNT));
    const mined = await send(node, pay(other, AMOUNT));
    for (const id of ids) await desk.waitFor(id, 'detected');
    await mineExactly(node, [mined]);
    await desk.waitFor(ids[1], 'confirming');
    for (const id of ids) await desk.age(id, 23 * HOUR);
    await desk.waitForJudged(await mineEmpty(node, 1));
    expect(await desk.row(ids[0])).toMatchObject({ status: 'detected' });
    for (const id of ids) await desk.age(id, 3 * HOUR);
    expect(await desk.waitFor(ids[0], 'expired')).toMatchObject({
      reason: 'unconfirmed',
      seen: String(AMOUNT),
    });
    // What is in blocks waits for nothing but more of them.
    await desk.waitForJudged(await mineEmpty(node, 1));
    expect(await desk.row(ids[1])).toMatchObject({ status: 'paid' });
  });
});
