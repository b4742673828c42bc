import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, send, spend } from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { replacementArgs, writeTrustingCoin } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, mineEmpty, payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const VALUE = 1_000_000n;
const AMOUNT = 300_000n;
const CHANGE_OWNER = 7;

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 1_000;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 150, value: VALUE, owner: 1 });
});
afterAll(() => node.stop());

const pay = (owner: number, value: bigint, coin = nextCoin(), fee = FEE) => payOwner(coin, owner, value, fee);

forEachEngine('a payment', (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;

  beforeAll(async () => {
    const settings = { COINFRONT_COIN: writeTrustingCoin() };
    suite = await openDeskSuite(engine, node.url, settings);
    ({ service, desk } = suite);
  });
  afterAll(() => suite.close());

  test('is open, underpaid, detected, confirming, paid: each step is told once, with what it rests on', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT });
    const first = await send(node, pay(owner, AMOUNT - 50_000n));
    await desk.waitFor(id, 'underpaid');
    const second = await send(node, pay(owner, 50_999n));
    expect(await desk.waitFor(id, 'detected')).toMatchObject({
      seen: String(AMOUNT + 999n),
      mined: '0',
      held: 1,
    });
    await mineExactly(node, [first, second]);
    expect(await desk.waitFor(id, 'confirming')).toMatchObject({ mined: String(AMOUNT + 999n), deep: '0' });
    const tip = await mineEmpty(node, 1);
    expect(await desk.waitFor(id, 'overpaid')).toMatchObject({ deep: String(AMOUNT + 999n), settled: 1 });
    expect(await desk.events(id)).toEqual([
      'payment.underpaid',
      'payment.detected',
      'payment.confirming',
      'payment.overpaid',
    ]);
    const { data, sequence } = await desk.lastEvent(id);
    expect(sequence).toBe(4);
    expect(data.tip?.hash).toBe(tip);
    expect(data.payment).toMatchObject({
      status: 'overpaid',
      sequence: 4,
      received: { seen: '0.00300999', confirmed: '0.00300999', settled: '0.00300999', late: '0.00000000' },
    });
    expect(data.payment.transactions.map(({ txid, confirmations }) => [txid, confirmations]).sort()).toEqual(
      [first, second].map(({ txid }) => [txid, 2]).sort(),
    );
  });

  test('counts two outputs of one transaction, and is paid by exactly the amount', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    const coin = nextCoin();
    const tx = spend(
      [coin],
      [
        { value: 100_000n, owner },
        { value: coin.value - AMOUNT - FEE, owner: CHANGE_OWNER },
        { value: AMOUNT - 100_000n, owner },
      ],
    );
    await mineExactly(node, [tx]);
    expect(await desk.waitFor(id, 'paid')).toMatchObject({ deep: String(AMOUNT) });
    expect(await desk.outputs(id)).toHaveLength(2);
    expect(await desk.events(id)).toEqual(['payment.paid']);
  });

  test('of no confirmations is paid in the mempool, and reorged when what paid it is replaced', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 0 });
    const coin = nextCoin();
    await send(node, pay(owner, AMOUNT, coin));
    await desk.waitFor(id, 'paid');
    await send(node, pay(nextOwner(), AMOUNT, coin, 20n * FEE));
    await desk.waitFor(id, 'reorged');
    await mineExactly(node, [pay(owner, AMOUNT)]);
    await desk.waitFor(id, 'paid');
    expect(await desk.events(id)).toEqual(['payment.paid', 'payment.reorged', 'payment.paid']);
  });

  test('follows a replacement that pays it too without a word, and one that pays it no more', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT });
    const coin = nextCoin();
    const first = await send(node, pay(owner, AMOUNT, coin));
    await desk.waitFor(id, 'detected');
    await desk.waitUntilRow(id, 'is judged', ({ is_due }) => is_due === 0);
    const shown = await service.get(`/api/v1/payments/${id}`);
    const second = await send(node, pay(owner, AMOUNT, coin, 20n * FEE));
    await desk.waitUntilRow(id, 'is judged', ({ is_due }) => is_due === 0);
    const isReplaced = async () =>
      (await desk.outputs(id)).find(({ txid }) => txid === first.txid)?.gone === 1;
    await desk.waitUntilRow(id, 'stays detected', ({ status }) => status === 'detected');
    while (!(await isReplaced())) expect((await desk.row(id)).status).toBe('detected');
    expect((await desk.outputs(id)).find(({ txid }) => txid === second.txid)).toMatchObject({ gone: 0 });
    // Who polls by ETag is shown the transaction that pays now.
    const polled = await service.get(`/api/v1/payments/${id}`, {
      'if-none-match': shown.headers.get('etag')!,
    });
    expect(polled.json?.transactions.map(({ txid, state }: Record<string, string>) => [txid, state])).toEqual(
      expect.arrayContaining([
        [first.txid, 'gone'],
        [second.txid, 'mempool'],
      ]),
    );
    await send(node, pay(nextOwner(), AMOUNT, coin, 60n * FEE));
    await desk.waitFor(id, 'open');
    expect(await desk.events(id)).toEqual(['payment.detected', 'payment.open']);
  });

  test('expires unpaid when time is up, and what comes then is late; accepted, it is paid', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, expiresInMs: 500, confirmations: 1 });
    expect(await desk.waitFor(id, 'expired')).toMatchObject({ reason: 'unpaid' });
    const tx = await send(node, pay(owner, AMOUNT));
    const row = await desk.waitUntilRow(id, 'has late money', ({ late }) => late !== '0');
    expect(row).toMatchObject({ status: 'expired', seen: '0', late: String(AMOUNT) });
    await desk.waitForJudged(await mineExactly(node, [tx]));
    await desk.accept(id);
    expect(await desk.waitFor(id, 'paid')).toMatchObject({ reason: null, late: '0', deep: String(AMOUNT) });
    expect(await desk.events(id)).toEqual(['payment.expired', 'payment.late', 'payment.paid']);
  });

  test('expires partial when time is up, and the rest that comes a block later is late', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT });
    await send(node, pay(owner, AMOUNT - 1n));
    await desk.waitFor(id, 'underpaid');
    await desk.change(id, { expires_at: Date.now() });
    expect(await desk.waitFor(id, 'expired')).toMatchObject({ reason: 'partial', seen: String(AMOUNT - 1n) });
    await mineExactly(node, [pay(owner, 50_000n)]);
    const row = await desk.waitUntilRow(id, 'has late money', ({ late }) => late !== '0');
    expect(row).toMatchObject({ status: 'expired', seen: String(AMOUNT - 1n), late: '50000' });
    expect(await desk.events(id)).toEqual(['payment.underpaid', 'payment.expired', 'payment.late']);
  });

  test('that was seen in full in time does not expire, and may be replaced by a higher fee afterwards', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    const coin = nextCoin();
    await send(node, pay(owner, AMOUNT, coin));
    await desk.waitFor(id, 'detected');
    await desk.change(id, { expires_at: Date.now() });
    // Another payment that expires later has: so this one's time was looked at.
    const other = await desk.open({ owner: nextOwner(), amount: AMOUNT, expiresInMs: 1 });
    await desk.waitFor(other, 'expired');
    expect((await desk.row(id)).status).toBe('detected');
    const bumped = await send(node, pay(owner, AMOUNT, coin, 20n * FEE));
    await mineExactly(node, [bumped]);
    await desk.waitFor(id, 'paid');
    expect(await desk.events(id)).toEqual(['payment.detected', 'payment.paid']);
  });

  test('says when more comes within a status, until it is over', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    const first = await send(node, pay(owner, 20_000n));
    await desk.waitFor(id, 'underpaid');
    expect((await service.get(`/api/v1/payments/${id}`)).json.payment_uri).toContain('amount=0.00280000');
    const second = await send(node, pay(owner, 30_000n));
    await desk.waitUntilRow(id, 'has more', ({ seen }) => seen === '50000');
    expect((await service.get(`/api/v1/payments/${id}`)).json.payment_uri).toContain('amount=0.00250000');
    const rest = await send(node, pay(owner, AMOUNT));
    await desk.waitFor(id, 'detected');
    expect((await service.get(`/api/v1/payments/${id}`)).json.payment_uri).not.toContain('amount=');
    await mineExactly(node, [first, second, rest]);
    await desk.waitFor(id, 'overpaid');
    await send(node, pay(owner, 7_000n));
    await desk.waitUntilRow(id, 'has still more', ({ seen }) => seen === '357000');
    expect(await desk.events(id)).toEqual([
      'payment.underpaid',
      'payment.received',
      'payment.detected',
      'payment.overpaid',
      'payment.received',
    ]);
  });

  test('that was cancelled stays so, and says what comes', async () => {
    const owner = nextOwner();
    const id = await desk.open({ owner, amount: AMOUNT });
    await desk.change(id, { status: 'cancelled', cancelled_at: Date.now() });
    await send(node, pay(owner, AMOUNT));
    const row = await desk.waitUntilRow(id, 'has late money', ({ late }) => late !== '0');
    expect(row).toMatchObject({ status: 'cancelled', seen: '0', late: String(AMOUNT) });
    expect(await desk.events(id)).toEqual(['payment.late']);
  });

  test('on an address that was used before counts nothing of before, and the earlier keeps what it has', async () => {
    const owner = nextOwner();
    const earlier = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    await mineExactly(node, [pay(owner, AMOUNT)]);
    await desk.waitFor(earlier, 'paid');
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    await desk.waitUntilRow(id, 'is judged', ({ is_due }) => is_due === 0);
    await mineExactly(node, [pay(owner, AMOUNT - 1n)]);
    expect(await desk.waitFor(id, 'underpaid')).toMatchObject({ seen: String(AMOUNT - 1n) });
    expect(await desk.row(earlier)).toMatchObject({ status: 'paid', seen: String(AMOUNT) });
  });

  test('is counted in the metrics, beside how far judging is', async () => {
    await desk.open({ owner: nextOwner(), amount: AMOUNT });
    const tip = await mineEmpty(node, 1);
    await desk.waitForJudged(tip);
    const text = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
    const read = (name: string) => Number(new RegExp(`^coinfront_${name} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(read('payments_open')).toBeGreaterThanOrEqual(1);
    expect(read('payments_judged_height')).toBe(await node.rpc('getblockcount'));
    expect(read('payments_lag_blocks')).toBe(0);
    expect([read('payments_reorged'), read('deliveries_pending'), read('deliveries_dead')]).toEqual([
      0, 0, 0,
    ]);
  });
});
