import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, send } from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, mineEmpty, payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 2_000;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 60, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('a reorganisation', (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;

  beforeAll(async () => {
    await mineEmpty(node, 10);
    suite = await openDeskSuite(engine, node.url);
    ({ service, desk } = suite);
  });
  afterAll(() => suite.close());

  test('that goes further back than the service has been there loses no money of its new blocks', async () => {
    // Here the service has begun at the tip, and remembers the chain from then on.
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    await desk.waitUntilRow(id, 'is judged', ({ is_due }) => is_due === 0);
    await service.stop();
    const height = await node.rpc<number>('getblockcount');
    await node.rpc('invalidateblock', await node.rpc('getblockhash', height - 7));
    await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]);
    await mineEmpty(node, 9);
    await service.start();
    await desk.waitFor(id, 'paid');
  });

  test('takes a settled payment back to reorged, and on to paid when it is mined again', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT });
    const tx = payOwner(nextCoin(), owner, AMOUNT);
    const hash = await mineExactly(node, [tx]);
    await mineEmpty(node, 1);
    await desk.waitFor(id, 'paid');
    await node.rpc('invalidateblock', hash);
    expect(await desk.waitFor(id, 'reorged')).toMatchObject({ seen: String(AMOUNT), mined: '0', settled: 1 });
    const again = await mineExactly(node, [tx]);
    await mineEmpty(node, 1);
    expect(await desk.waitFor(id, 'paid')).toMatchObject({ sequence: (await desk.events(id)).length });
    const events = await desk.events(id);
    expect(events.filter((type) => type !== 'payment.confirming')).toEqual([
      'payment.paid',
      'payment.reorged',
      'payment.paid',
    ]);
    expect((await desk.outputs(id))[0]).toMatchObject({ block_hash: again, gone: 0 });
  });

  test('that mines the same transaction at the same depth says nothing', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    const tx = payOwner(nextCoin(), owner, AMOUNT);
    const hash = await mineExactly(node, [tx]);
    await desk.waitFor(id, 'paid');
    // The service sees one step from the old branch to the new one.
    await service.stop();
    await node.rpc('invalidateblock', hash);
    const other = await mineExactly(node, [tx]);
    await service.start();
    await desk.waitForJudged(other);
    expect(await desk.events(id)).toEqual(['payment.paid']);
    expect((await desk.outputs(id))[0]).toMatchObject({ block_hash: other });
  });

  test('with a double spend takes what was paid for good, before settlement and after', async () => {
    const [early, settled] = [nextOwner(), nextOwner()];
    const ids = [
      await desk.open({ owner: early, amount: AMOUNT, confirmations: 6 }),
      await desk.open({ owner: settled, amount: AMOUNT, confirmations: 1 }),
    ] as const;
    const coins = [nextCoin(), nextCoin()] as const;
    const txs = [payOwner(coins[0], early, AMOUNT), payOwner(coins[1], settled, AMOUNT)];
    const hash = await mineExactly(node, txs);
    await desk.waitFor(ids[0], 'confirming');
    await desk.waitFor(ids[1], 'paid');
    await node.rpc('invalidateblock', hash);
    const thief = nextOwner();
    await mineExactly(node, [
      payOwner(coins[0], thief, AMOUNT, 5n * FEE),
      payOwner(coins[1], thief, AMOUNT, 5n * FEE),
    ]);
    const tip = await mineEmpty(node, 1);
    expect(await desk.waitFor(ids[0], 'open')).toMatchObject({ seen: '0' });
    expect(await desk.waitFor(ids[1], 'reorged')).toMatchObject({ seen: '0' });
    await desk.waitForJudged(tip);
    for (const id of ids) expect((await desk.outputs(id))[0]).toMatchObject({ gone: 1, height: null });
    expect((await desk.events(ids[1])).at(-1)).toBe('payment.reorged');
  });

  test('brings money in a block that stands where another stood when the payment was made', async () => {
    const owner = nextOwner();
    const replaced = await mineEmpty(node, 1);
    await service.waitForTip(replaced);
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    await desk.waitUntilRow(id, 'is judged', ({ is_due }) => is_due === 0);
    await node.rpc('invalidateblock', replaced);
    await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]);
    await desk.waitFor(id, 'paid');
  });

  test('brings the money of a settled payment by another transaction, as deep as the payment is old', async () => {
    const owner = nextOwner();
    const coin = nextCoin();
    const replaced = await mineEmpty(node, 1);
    await service.waitForTip(replaced);
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    await mineExactly(node, [payOwner(coin, owner, AMOUNT)]);
    await desk.waitFor(id, 'paid');
    await node.rpc('invalidateblock', replaced);
    await mineExactly(node, [payOwner(coin, owner, AMOUNT, 5n * FEE)]);
    const tip = await mineEmpty(node, 2);
    await desk.waitForJudged(tip);
    expect(await desk.row(id)).toMatchObject({ status: 'paid', seen: String(AMOUNT) });
  });

  test('of several blocks while the service is down is judged once, at the new tip', async () => {
    const [stays, leaves] = [nextOwner(), nextOwner()];
    const ids = [
      await desk.open({ owner: stays, amount: AMOUNT, confirmations: 2 }),
      await desk.open({ owner: leaves, amount: AMOUNT, confirmations: 2 }),
    ] as const;
    const coin = nextCoin();
    const kept = payOwner(nextCoin(), stays, AMOUNT);
    const hash = await mineExactly(node, [kept, payOwner(coin, leaves, AMOUNT)]);
    await mineEmpty(node, 4);
    for (const id of ids) await desk.waitFor(id, 'paid');
    await service.kill();
    await node.rpc('invalidateblock', hash);
    await mineEmpty(node, 2);
    await mineExactly(node, [payOwner(coin, nextOwner(), AMOUNT, 9n * FEE), kept]);
    const tip = await mineEmpty(node, 3);
    await service.start();
    await desk.waitForJudged(tip);
    expect(await desk.row(ids[0])).toMatchObject({ status: 'paid' });
    expect((await desk.events(ids[0])).at(-1)).toBe('payment.paid');
    expect((await desk.events(ids[0])).filter((type) => type === 'payment.reorged')).toEqual([]);
    expect(await desk.row(ids[1])).toMatchObject({ status: 'reorged', seen: '0' });
    expect((await desk.events(ids[1])).filter((type) => type === 'payment.reorged')).toHaveLength(1);
  });

  test('is watched for until a hundred confirmations', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    const tx = await send(node, payOwner(nextCoin(), owner, AMOUNT));
    await mineExactly(node, [tx]);
    await desk.waitFor(id, 'paid');
    await desk.waitForJudged((await node.mine(98)).at(-1)!);
    expect(await desk.row(id)).toMatchObject({ final: 0 });
    await mineEmpty(node, 1);
    expect(await desk.waitUntilRow(id, 'is final', ({ final }) => final === 1)).toMatchObject({
      status: 'paid',
      check_height: null,
    });
    expect((await desk.events(id)).at(-1)).toBe('payment.paid');
  });
});
