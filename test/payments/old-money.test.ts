import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashScript } from '../../service/src/parts/payments/chain/find-arrivals.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import {
  addressOfOwner,
  mineExactly,
  openPurse,
  type RawCoin,
  type RawTx,
  scriptOf,
  send,
  spend,
} from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { FEE, mineEmpty, payOwner, REPLACEABLE } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;
const AMOUNT_TEXT = '0.003';

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 20_000;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 60, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

/** Pays an owner out of several coins. */
const payFrom = (coins: readonly RawCoin[], owner: number, fee: bigint): RawTx => {
  const rest = coins.reduce((sum, { value }) => sum + value, 0n) - AMOUNT - fee;
  const outputs = [
    { value: AMOUNT, owner },
    { value: rest, owner: 7 },
  ];
  return spend(coins, outputs, { sequence: REPLACEABLE });
};

forEachEngine('money that was on its way before a payment asked for it', (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ service, desk } = suite);
  });
  afterAll(() => suite.close());

  const key = () => ({ 'x-coin-pay-api-key': desk.apiKey });
  const create = async (owner: number) => {
    await service.waitForMempool();
    const body = { recipient: addressOfOwner(owner), amount: AMOUNT_TEXT, confirmations_required: 1 };
    const { status, text, json } = await service.post('/api/v1/payments', body, key());
    expect(status, text).toBe(201);
    return json;
  };
  /** The merchant's view of a payment. */
  const look = async (id: string) => {
    const { json } = await service.get(`/api/v1/payments?q=${id}`, key());
    return json.items[0];
  };
  const judged = async () => desk.waitForJudged((await node.mine(1))[0]!);

  test('is not the payment, nor is what replaces it with a higher fee', async () => {
    const owner = ++lastOwner;
    const coin = nextCoin();
    const old = await send(node, payOwner(coin, owner, AMOUNT));
    const created = await create(owner);
    expect(created.excluded).toEqual([
      { txid: old.txid, vout: 0, amount: '0.00300000', reason: 'earlier', state: 'mempool' },
    ]);
    const bumped = await send(node, payOwner(coin, owner, AMOUNT, 20n * FEE));
    await judged();
    const payment = await look(created.id);
    expect(payment).toMatchObject({
      status: 'open',
      received: { seen: '0.00000000', late: '0.00000000' },
      transactions: [],
    });
    expect(payment.excluded).toHaveLength(2);
    expect(payment.excluded).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ txid: old.txid, reason: 'earlier', state: 'gone' }),
        expect.objectContaining({ txid: bumped.txid, reason: 'replaces_earlier', state: 'confirmed' }),
      ]),
    );
    await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]);
    await desk.waitFor(created.id, 'paid');
  });

  test('is not the payment through two replacements that have no outpoint in common', async () => {
    const owner = ++lastOwner;
    const [first, second] = [nextCoin(), nextCoin()];
    await send(node, payOwner(first, owner, AMOUNT));
    const { id } = await create(owner);
    await send(node, payFrom([first, second], owner, 20n * FEE));
    await waitUntil('the replacement is known', async () => (await look(id)).excluded.length === 2);
    await send(node, payFrom([second], owner, 60n * FEE));
    await judged();
    expect(await look(id)).toMatchObject({ status: 'open', received: { seen: '0.00000000' } });
  });

  test('is not the payment when another branch of the chain has its replacement', async () => {
    const owner = ++lastOwner;
    const coin = nextCoin();
    const hash = await mineExactly(node, [payOwner(coin, owner, AMOUNT)]);
    await service.waitForTip();
    const { id } = await create(owner);
    await node.rpc('invalidateblock', hash);
    await mineExactly(node, [payOwner(coin, owner, AMOUNT, 5n * FEE)]);
    await judged();
    expect(await look(id)).toMatchObject({
      status: 'open',
      received: { seen: '0.00000000' },
      excluded: expect.arrayContaining([expect.objectContaining({ reason: 'replaces_earlier' })]),
    });
  });

  test('stays with the payment that it came for when that is over and the address asks anew', async () => {
    const owner = ++lastOwner;
    const coin = nextCoin();
    const first = await create(owner);
    await send(node, payOwner(coin, owner, AMOUNT));
    await desk.waitFor(first.id, 'detected');
    await service.post(`/api/v1/payments/${first.id}/cancel`, {}, key());
    const second = await create(owner);
    await send(node, payOwner(coin, owner, AMOUNT, 20n * FEE));
    await desk.waitUntilRow(first.id, 'has it as late money', ({ late }) => late === String(AMOUNT));
    await judged();
    expect(await look(second.id)).toMatchObject({ status: 'open', received: { seen: '0.00000000' } });
    expect(await look(first.id)).toMatchObject({ status: 'cancelled', received: { late: '0.00300000' } });
  });

  test('is forgotten once it is too deep to be replaced', async () => {
    const owner = ++lastOwner;
    const countSpends = async () =>
      (
        await desk.precious
          .query<PaymentTables>()
          .selectFrom('earlier_spend')
          .select('txid')
          .where('script_hash', '=', hashScript(scriptOf(owner)))
          .execute()
      ).length;
    await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]);
    await service.waitForTip();
    const first = await create(owner);
    expect(await countSpends()).toBe(1);
    await service.post(`/api/v1/payments/${first.id}/cancel`, {}, key());
    await mineEmpty(node, 100);
    await mineExactly(node, [payOwner(nextCoin(), owner, AMOUNT)]);
    await service.waitForTip();
    await create(owner);
    // Of the one that has just come.
    expect(await countSpends()).toBe(1);
  });

  test('that was taken back frees the coins for the payment', async () => {
    const owner = ++lastOwner;
    const coin = nextCoin();
    await send(node, payOwner(coin, owner, AMOUNT));
    const { id } = await create(owner);
    const elsewhere = await send(node, payOwner(coin, ++lastOwner, AMOUNT, 20n * FEE));
    const [change] = elsewhere.coins.filter((each) => each.owner === 7);
    await mineExactly(node, [elsewhere, payOwner(change!, owner, AMOUNT)]);
    await desk.waitFor(id, 'paid');
  });
});
