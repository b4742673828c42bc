import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, send } from '../harness/raw-coins.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, mineEmpty, payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;
const HALF = AMOUNT / 2n;
const A_DAY = 24 * 3_600_000;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 9_000;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 80, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

const pay = (owner: number, value: bigint, coin = nextCoin(), fee = FEE) => payOwner(coin, owner, value, fee);

forEachEngine('what came and was accepted', (engine) => {
  let suite: DeskSuite;
  let desk: PaymentDesk;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ desk } = suite);
  });
  afterAll(() => suite.close());

  /** A payment that expired with half of its amount, which waits in the mempool. */
  const openHalfPaid = async (coin = nextCoin()) => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT });
    const tx = await send(node, pay(owner, HALF, coin));
    await desk.waitFor(id, 'underpaid');
    await desk.change(id, { expires_at: Date.now() });
    await desk.waitFor(id, 'expired');
    return { owner, id, tx, coin };
  };
  const refusal = { code: 'payment_not_acceptable', status: 409 };

  test('unconfirmed is detected, confirming, and paid as deep as any payment', async () => {
    const { id, tx } = await openHalfPaid();
    await desk.accept(id);
    await desk.waitFor(id, 'detected');
    await mineExactly(node, [tx]);
    await desk.waitFor(id, 'confirming');
    await mineEmpty(node, 1);
    expect(await desk.waitFor(id, 'paid')).toMatchObject({ settled: 1, accepted_amount: String(HALF) });
    expect(await desk.events(id)).toEqual([
      'payment.underpaid',
      'payment.expired',
      'payment.detected',
      'payment.confirming',
      'payment.paid',
    ]);
  });

  test('before the expiry needs no expiry; late and early money are accepted together', async () => {
    const owner = nextOwner();
    const early = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    await mineExactly(node, [pay(owner, HALF)]);
    await desk.waitFor(early, 'underpaid');
    await desk.accept(early);
    await desk.waitFor(early, 'paid');
    expect(await desk.events(early)).toEqual(['payment.underpaid', 'payment.paid']);

    const { id, owner: other, tx } = await openHalfPaid();
    const late = await send(node, pay(other, 9_000n));
    await desk.waitUntilRow(id, 'has late money', (row) => row.late === '9000');
    await desk.accept(id);
    await desk.waitFor(id, 'detected');
    expect(await desk.row(id)).toMatchObject({ accepted_amount: String(HALF + 9_000n), late: '0' });
    await mineExactly(node, [tx, late]);
    await mineEmpty(node, 1);
    await desk.waitFor(id, 'paid');
    expect((await desk.events(id)).filter((type) => type === 'payment.late')).toHaveLength(1);
  });

  test('is not changed by accepting again after more came; with the rest of it, it is still paid', async () => {
    const { id, owner, tx } = await openHalfPaid();
    await desk.accept(id);
    const { accepted_at } = await desk.waitFor(id, 'detected');
    const more = await send(node, pay(owner, 9_000n));
    await desk.waitUntilRow(id, 'has more', ({ seen }) => seen === String(HALF + 9_000n));
    await desk.accept(id);
    expect(await desk.row(id)).toMatchObject({ accepted_at, accepted_amount: String(HALF) });
    await mineExactly(node, [tx, more]);
    await mineEmpty(node, 1);
    await desk.waitFor(id, 'paid');
    await desk.accept(id);
    expect(await desk.row(id)).toMatchObject({ status: 'paid', accepted_at, accepted_amount: String(HALF) });
  });

  test('and then replaced by less is waited for, a day and no longer; accepting the rest is another decision', async () => {
    const { id, owner, coin } = await openHalfPaid();
    await desk.accept(id);
    await desk.waitFor(id, 'detected');
    const less = await send(node, pay(owner, HALF - 1n, coin, 20n * FEE));
    expect(await desk.waitFor(id, 'underpaid')).toMatchObject({ accepted_amount: String(HALF) });
    await mineExactly(node, [less]);
    await desk.waitForJudged(await mineEmpty(node, 1));
    expect(await desk.row(id)).toMatchObject({ status: 'underpaid', settled: 0 });
    await desk.age(id, A_DAY + 60_000);
    const ended = await desk.waitFor(id, 'expired');
    expect(ended).toMatchObject({ reason: 'partial', accepted_at: null, accepted_amount: null });
    await desk.accept(id);
    expect(await desk.waitFor(id, 'paid')).toMatchObject({ accepted_amount: String(HALF - 1n) });
    expect((await desk.events(id)).slice(2)).toEqual([
      'payment.detected',
      'payment.underpaid',
      'payment.expired',
      'payment.paid',
    ]);
  });

  test('and taken back by a reorganisation is reorged, and paid with it again', async () => {
    const { id, tx } = await openHalfPaid();
    await desk.accept(id);
    const hash = await mineExactly(node, [tx]);
    await mineEmpty(node, 1);
    await desk.waitFor(id, 'paid');
    await node.rpc('invalidateblock', hash);
    await desk.waitFor(id, 'reorged');
    await mineExactly(node, [tx]);
    await mineEmpty(node, 1);
    await desk.waitFor(id, 'paid');
  });

  test('has to be something: nothing, and what lacks nothing, is refused', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    await expect(desk.accept(id)).rejects.toMatchObject(refusal);
    const coin = nextCoin();
    await send(node, pay(owner, HALF, coin));
    await desk.waitFor(id, 'underpaid');
    await send(node, pay(nextOwner(), HALF, coin, 20n * FEE));
    await desk.waitFor(id, 'open');
    await expect(desk.accept(id)).rejects.toMatchObject(refusal);
    const whole = await send(node, pay(owner, AMOUNT));
    await desk.waitFor(id, 'detected');
    await expect(desk.accept(id)).rejects.toMatchObject(refusal);
    await mineExactly(node, [whole]);
    await desk.waitFor(id, 'paid');
    await expect(desk.accept(id)).rejects.toMatchObject(refusal);
    await expect(desk.cancel(id)).rejects.toMatchObject({ code: 'payment_not_cancellable' });
  });
});
