import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin, send } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { payOwner } from './pay-owner.ts';
import { openDesk, type PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 3_000;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 40, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('while something is down', (engine) => {
  let suite: DeskSuite;
  let location: DatabaseLocation;
  let service: TestService;
  let desk: PaymentDesk;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ database: location, service, desk } = suite);
  });
  afterAll(() => suite.close());

  const isPast = (ms: number) => waitUntil('the time has passed', () => Date.now() > ms);

  test('what was begun before a restart of the service goes on after it', async () => {
    const [waiting, begun] = [nextOwner(), nextOwner()];
    const ids = [
      await desk.open({ owner: waiting, amount: AMOUNT, confirmations: 1 }),
      await desk.open({ owner: begun, amount: AMOUNT, confirmations: 1 }),
    ] as const;
    const tx = await send(node, payOwner(nextCoin(), begun, AMOUNT));
    await desk.waitFor(ids[1], 'detected');
    await service.kill();
    await service.start();
    const other = await send(node, payOwner(nextCoin(), waiting, AMOUNT));
    await desk.waitFor(ids[0], 'detected');
    await mineExactly(node, [tx, other]);
    for (const id of ids) {
      await desk.waitFor(id, 'paid');
      expect(await desk.events(id)).toEqual(['payment.detected', 'payment.paid']);
    }
  });

  /** Blocks that are mined fast have times ahead of the clock; a payment's time is that of its block. */
  const waitForChainClock = () =>
    waitUntil("the chain's time is not ahead", async () => {
      const best = await node.rpc<string>('getbestblockhash');
      const { time } = await node.rpc<{ time: number }>('getblockheader', best);
      return time * 1000 < Date.now();
    });

  test('a payment mined in time is found after the expiry, and one that was not paid expires', async () => {
    await waitForChainClock();
    const [paid, unpaid, swept] = [nextOwner(), nextOwner(), nextOwner()];
    const [found, expired, gone] = [
      await desk.open({ owner: paid, amount: AMOUNT, confirmations: 3 }),
      await desk.open({ owner: unpaid, amount: AMOUNT }),
      // Its transaction is seen before, and is in a block that comes meanwhile.
      await desk.open({ owner: swept, amount: AMOUNT, confirmations: 1 }),
    ];
    const seen = await send(node, payOwner(nextCoin(), swept, AMOUNT));
    await desk.waitFor(gone, 'detected');
    await service.kill();
    await mineExactly(node, [payOwner(nextCoin(), paid, AMOUNT)]);
    await waitForChainClock();
    const expires_at = Date.now();
    for (const id of [found, expired, gone]) await desk.change(id, { expires_at });
    await isPast(expires_at);
    await mineExactly(node, [seen]);
    await service.start();
    await desk.waitFor(found, 'confirming');
    await desk.waitFor(gone, 'paid');
    expect(await desk.waitFor(expired, 'expired')).toMatchObject({ reason: 'unpaid' });
    expect(await desk.events(found)).toEqual(['payment.confirming']);
  });

  test('nothing expires while the node is away; it does when the node is back', async () => {
    const id = await desk.open({ owner: nextOwner(), amount: AMOUNT });
    await desk.waitUntilRow(id, 'is judged', ({ is_due }) => is_due === 0);
    await node.pause();
    const expires_at = Date.now();
    await desk.change(id, { expires_at });
    const next = await desk.open({ owner: nextOwner(), amount: AMOUNT });
    await isPast(expires_at + 1_000);
    // Judging goes on: what is new has been looked at.
    await desk.waitUntilRow(next, 'is judged', ({ is_due }) => is_due === 0);
    expect(await desk.row(id)).toMatchObject({ status: 'open' });
    await node.start();
    await desk.waitFor(id, 'expired');
  });

  test('a payment that is made while nobody judges is found by what came meanwhile', async () => {
    const owner = nextOwner();
    await service.kill();
    const apiOnly = await startService({
      nodeUrl: node.url,
      database: location,
      settings: { COINFRONT_ROLES: 'api,indexer' },
    });
    const other = await openDeskOf(apiOnly);
    const id = await other.open({ owner, amount: AMOUNT, confirmations: 1 });
    const hash = await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]);
    await apiOnly.waitForTip(hash);
    expect(await other.row(id)).toMatchObject({ status: 'open', is_due: 1 });
    await other.close();
    await apiOnly.stop();
    await service.start();
    await desk.waitFor(id, 'paid');
  });

  test('what came for a payment that is over stays its own, though another has its address by then', async () => {
    const merchant = await suite.createMerchant();
    const owner = nextOwner();
    const body = { recipient: addressOfOwner(owner), amount: '0.003', confirmations_required: 1 };
    const over = (await merchant.post('/api/v1/payments', body)).json.id as string;
    expect((await merchant.post(`/api/v1/payments/${over}/cancel`, {})).status).toBe(200);
    await desk.waitUntilRow(over, 'is judged', ({ is_due }) => is_due === 0);
    await service.kill();
    const apiOnly = await startService({
      nodeUrl: node.url,
      database: location,
      settings: { COINFRONT_ROLES: 'api,indexer' },
    });
    const mined = payOwner(nextCoin(), owner, AMOUNT);
    await apiOnly.waitForTip(await mineExactly(node, [mined]));
    await send(node, payOwner(nextCoin(), owner, AMOUNT));
    await apiOnly.waitForMempool();
    const key = { 'x-coin-pay-api-key': merchant.apiKey };
    const made = await apiOnly.post('/api/v1/payments', body, key);
    expect(made.status, made.text).toBe(201);
    await apiOnly.stop();
    await service.start();
    await desk.waitUntilRow(over, 'has both', ({ late }) => late === String(2n * AMOUNT));
    expect((await desk.outputs(over)).map(({ height, late }) => [height !== null, late])).toEqual(
      expect.arrayContaining([
        [true, 1],
        [false, 1],
      ]),
    );
    expect(await desk.events(over)).toEqual(['payment.created', 'payment.cancelled', 'payment.late']);
    expect(await desk.row(made.json.id)).toMatchObject({ status: 'open', seen: '0', late: '0' });
    expect(await desk.outputs(made.json.id)).toEqual([]);
  });

  const openDeskOf = (other: TestService) => openDesk(location, other);

  if (engine.kind === 'sqlite') return;
  test('another process takes over at once, and no event is told twice', async () => {
    const second = await startService({ nodeUrl: node.url, database: location });
    const owners = Array.from({ length: 8 }, nextOwner);
    const ids: string[] = [];
    for (const owner of owners) ids.push(await desk.open({ owner, amount: AMOUNT, confirmations: 1 }));
    const txs = owners.map((owner) => payOwner(nextCoin(), owner, AMOUNT));
    for (const tx of txs) await send(node, tx);
    await Promise.all([desk.waitFor(ids[0]!, 'detected'), service.kill()]).catch(() => undefined);
    const viaSecond = await openDeskOf(second);
    for (const id of ids) await viaSecond.waitFor(id, 'detected');
    await mineExactly(node, txs);
    for (const id of ids) {
      await viaSecond.waitFor(id, 'paid');
      expect(await viaSecond.events(id)).toEqual(['payment.detected', 'payment.paid']);
    }
    await viaSecond.close();
    await second.stop();
    await service.start();
  });
});
