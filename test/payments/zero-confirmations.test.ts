import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, send, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { replacementArgs, writeTrustingCoin } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, payOwner, REPLACEABLE } from './pay-owner.ts';
import { openDesk, type PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 21_000;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 40, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

const pay = (coin: RawCoin, owner: number, sequence?: number) =>
  spend(
    [coin],
    [
      { value: AMOUNT, owner },
      { value: coin.value - AMOUNT - FEE, owner: 7 },
    ],
    sequence === undefined ? {} : { sequence },
  );

forEachEngine('a payment without confirmations', (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ service, desk } = suite);
  });
  afterAll(() => suite.close());

  const open = () => desk.open({ owner: ++lastOwner, amount: AMOUNT, confirmations: 0 });
  const shown = async (id: string) => (await service.get(`/api/v1/payments/${id}`)).json.transactions[0];

  test('is paid by a transaction that says it will not be replaced', async () => {
    const id = await open();
    await send(node, pay(nextCoin(), lastOwner));
    const { paid_at, settled_at } = await desk.waitFor(id, 'paid');
    expect([paid_at, settled_at]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(await shown(id)).toMatchObject({
      state: 'mempool',
      replaceable: false,
      fee_rate: expect.stringMatching(/^[0-9]+\.[0-9]{3}$/),
      block_time: null,
    });
  });

  test('waits for a block when its transaction may be replaced', async () => {
    const id = await open();
    const tx = await send(node, pay(nextCoin(), lastOwner, REPLACEABLE));
    expect(await desk.waitFor(id, 'detected')).toMatchObject({ settled: 0, deep: '0' });
    expect(await shown(id)).toMatchObject({ state: 'mempool', replaceable: true });
    await mineExactly(node, [tx]);
    await desk.waitFor(id, 'paid');
    expect(await shown(id)).toMatchObject({ replaceable: false, block_time: expect.any(String) });
    expect(await desk.events(id)).toEqual(['payment.detected', 'payment.paid']);
  });

  test('waits while an unconfirmed ancestor may be replaced, and no longer', async () => {
    const id = await open();
    const parent = await send(node, payOwner(nextCoin(), 1, AMOUNT));
    const change = parent.coins.find(({ owner }) => owner === 7)!;
    const child = await send(node, pay({ ...change, owner: 7 }, lastOwner));
    await desk.waitFor(id, 'detected');
    expect(await shown(id)).toMatchObject({ txid: child.txid, replaceable: true });
    const hash = await mineExactly(node, [parent]);
    await desk.waitFor(id, 'paid');
    expect(await shown(id)).toMatchObject({ state: 'mempool', replaceable: false });
    // The other branch has not mined it: it can be replaced again.
    await node.rpc('invalidateblock', hash);
    await mineExactly(node, []);
    await mineExactly(node, []);
    await desk.waitFor(id, 'reorged');
    await mineExactly(node, [parent, child]);
    await desk.waitFor(id, 'paid');
  });
});

forEachEngine('where the operator takes what may be replaced', (engine) => {
  test('a payment without confirmations is paid by it', async () => {
    const location = await engine.openUrl();
    const settings = { COINFRONT_COIN: writeTrustingCoin() };
    const service = await startService({ nodeUrl: node.url, database: location, settings });
    const desk = await openDesk(location, service);
    const id = await desk.open({ owner: ++lastOwner, amount: AMOUNT, confirmations: 0 });
    await send(node, pay(nextCoin(), lastOwner, REPLACEABLE));
    await desk.waitFor(id, 'paid');
    await desk.close();
    await service.stop();
  });
});
