import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin } from '../harness/raw-coins.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, mineEmpty, payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

/** Blocks of before a payment's expiry that the service gets to know after it: as after an outage of the node. */

const AMOUNT = 300_000n;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 40_000;

beforeAll(async () => {
  node = await startNode();
  // Many blocks at once have times ahead of the clock.
  await node.rpc('setmocktime', Math.floor(Date.now() / 1_000) - 3_600);
  nextCoin = await openPurse(node, { count: 30, value: 1_000_000n, owner: 1 });
  await node.rpc('setmocktime', 0);
});
afterAll(() => node.stop());

/** Mines payments in a block whose time is that of the expiry, or so many seconds after it. */
async function mineAt(expiresAtMs: number, seconds: number, payments: Parameters<typeof mineExactly>[1]) {
  await node.rpc('setmocktime', Math.floor(expiresAtMs / 1_000) + seconds);
  const tip = await mineExactly(node, payments);
  await node.rpc('setmocktime', 0);
  return tip;
}

forEachEngine('a payment that has expired', (engine) => {
  let suite: DeskSuite;
  let desk: PaymentDesk;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ desk } = suite);
  });
  afterAll(() => suite.close());

  async function expire(amount = AMOUNT) {
    const owner = ++lastOwner;
    const id = await desk.open({ owner, amount, confirmations: 2, expiresInMs: 1_500 });
    const { expires_at: expiresAtMs } = await desk.waitFor(id, 'expired');
    return { id, owner, expiresAtMs };
  }

  test('is paid when a block of before its expiry has the money, and nothing of it was late', async () => {
    const { id, owner, expiresAtMs } = await expire();
    await mineAt(expiresAtMs, 0, [payOwner(nextCoin(), owner, AMOUNT, FEE)]);
    expect(await desk.waitFor(id, 'confirming')).toMatchObject({
      mined: String(AMOUNT),
      late: '0',
      reason: null,
    });
    await mineEmpty(node, 1);
    expect(await desk.waitFor(id, 'paid')).toMatchObject({ late: '0' });
    expect(await desk.events(id)).toEqual(['payment.expired', 'payment.confirming', 'payment.paid']);
    expect((await desk.outputs(id)).map(({ late }) => late)).toEqual([0]);
  });

  test('stays so when the block is of after its expiry, and when it has too little', async () => {
    const after = await expire();
    await mineAt(after.expiresAtMs, 2, [payOwner(nextCoin(), after.owner, AMOUNT, FEE)]);
    const late = await desk.waitUntilRow(after.id, 'has late money', (row) => row.late !== '0');
    expect(late).toMatchObject({ status: 'expired', reason: 'unpaid', seen: '0', late: String(AMOUNT) });

    const little = await expire();
    await mineAt(little.expiresAtMs, 0, [payOwner(nextCoin(), little.owner, AMOUNT - 1n, FEE)]);
    const short = await desk.waitUntilRow(little.id, 'has late money', (row) => row.late !== '0');
    expect(short).toMatchObject({ status: 'expired', late: String(AMOUNT - 1n) });
    expect(await desk.events(little.id)).toEqual(['payment.expired', 'payment.late']);
  });

  test('stays so when another payment has its address by now', async () => {
    const { id, owner, expiresAtMs } = await expire();
    const next = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    const tip = await mineAt(expiresAtMs, 0, [payOwner(nextCoin(), owner, AMOUNT, FEE)]);
    await desk.waitFor(next, 'paid');
    await desk.waitForJudged(tip);
    expect(await desk.row(id)).toMatchObject({ status: 'expired' });
  });

  test('expires again when a reorganisation takes the block away', async () => {
    const { id, owner, expiresAtMs } = await expire();
    const block = await mineAt(expiresAtMs, 0, [payOwner(nextCoin(), owner, AMOUNT, FEE)]);
    await desk.waitFor(id, 'confirming');
    await node.rpc('invalidateblock', block);
    const judged = await desk.waitUntilRow(id, 'is in no block', ({ mined }) => mined === '0');
    expect(['detected', 'expired']).toContain(judged.status);
    await node.rpc('reconsiderblock', block);
    await desk.waitFor(id, 'confirming');
  });
});
