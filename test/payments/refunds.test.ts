import type { LeftoverJson, RefundJson } from '@coinfront/api/refunds.ts';
import { bytesToHex, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainView } from '../../service/src/chain/chain-view.ts';
import { createRefundFollower } from '../../service/src/parts/payments/refunds/follow-refunds.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { mineExactly, openPurse, type RawCoin, spend } from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { createSigner, fundSigners, type Signer, signTransaction } from '../harness/signing-wallet.ts';
import { replacementArgs, testProfile } from '../harness/test-coin.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { mineEmpty } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';
import { signPsbt } from './sign-psbt.ts';

const AMOUNT = 300_000n;
const AMOUNT_TEXT = '0.00300000';
const HALF_TEXT = '0.00150000';
const FEE = 1_000n;

let node: TestNode;
let nextCoin: () => RawCoin;
let signers = 0;
const nextSigner = () => createSigner(`refund ${++signers}`, testProfile);

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  await node.mine(110);
  nextCoin = await openPurse(node, { count: 120, value: 2_000_000n, owner: 1 });
});
afterAll(() => node.stop());

/** Pays a script out of a coin of nobody in particular. */
function pay({ script }: Signer, value: bigint) {
  const coin = nextCoin();
  return spend(
    [coin],
    [
      { value, script },
      { value: coin.value - value - FEE, owner: 7 },
    ],
  );
}

forEachEngine('money that is no part of the deal', (engine) => {
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

  const post = async (path: string, body: object, status: number, headers = {}) => {
    const answer = await merchant.post(`/api/v1/payments/${path}`, body, headers);
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
    return answer.json;
  };
  const create = async (shop: Signer): Promise<string> => {
    const body = { recipient: shop.address, amount: AMOUNT_TEXT, confirmations_required: 1 };
    const { status, json, text } = await merchant.post('/api/v1/payments', body);
    expect([status, text]).toEqual([201, expect.anything()]);
    return json.id;
  };
  const expire = async (id: string): Promise<void> => {
    // Blocks count in seconds, and one that is mined now must not be in time.
    await desk.change(id, { expires_at: Date.now() - 5_000 });
    await desk.waitFor(id, 'expired');
  };
  /** A payment that expired, and got `value` after that, in a block. */
  const makeLate = async (shop = nextSigner(), value = AMOUNT): Promise<string> => {
    const id = await create(shop);
    await expire(id);
    await desk.waitForJudged(await mineExactly(node, [pay(shop, value)]));
    return id;
  };
  const find = async (id: string): Promise<LeftoverJson> =>
    (await merchant.get(`/api/v1/payments/${id}/refunds`)).json;
  const listUnsettled = async (): Promise<LeftoverJson[]> => {
    const items: LeftoverJson[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { json } = await merchant.get(`/api/v1/merchant/unsettled?limit=2${next}`);
      items.push(...json.items);
      cursor = json.next_cursor;
    }
    return items;
  };
  const isListed = async (id: string) => (await listUnsettled()).some(({ payment_id }) => payment_id === id);
  const waitForRefund = async (id: string, what: string, holds: (refund: RefundJson) => boolean) => {
    await waitUntil(`the refund of ${id} ${what}`, async () => holds((await find(id)).refunds.at(-1)!));
    return (await find(id)).refunds.at(-1)!;
  };
  const refundEvents = async (id: string) =>
    (await desk.events(id)).filter((type) => type.startsWith('refund.'));

  test('goes back by a transaction of the merchant, through a reorganisation and a replacement, until it is confirmed', async () => {
    const [shop, wallet, buyer] = [nextSigner(), nextSigner(), nextSigner()];
    await fundSigners(node, [wallet], 1);
    const id = await makeLate(shop);
    expect((await listUnsettled())[0]).toMatchObject({
      ...{ payment_id: id, status: 'expired', kinds: ['late'] },
      ...{ left_over: AMOUNT_TEXT, settled: AMOUNT_TEXT, open: AMOUNT_TEXT, refunds: [] },
    });
    const made = await post(`${id}/refunds`, { address: buyer.address }, 201);
    expect(made).toMatchObject({ refunded: AMOUNT_TEXT, open: '0.00000000' });
    expect(await isListed(id)).toBe(false);
    const path = `${id}/refunds/${made.refunds[0].id}`;

    const alone = { from: [{ address: shop.address }], change_address: wallet.address };
    expect((await post(`${path}/transaction`, alone, 200)).transaction_refused.code).toBe(
      'insufficient_funds',
    );
    const from = [{ address: shop.address }, { address: wallet.address }];
    const { transaction } = await post(`${path}/transaction`, { from }, 200);
    const [first, second] = transaction.inputs;
    expect(first.amount).toBe(AMOUNT_TEXT);
    expect(second.txid).toBe(toDisplayHash(wallet.coins[0]!.txid));
    const signed = signPsbt(transaction.psbt, [shop, wallet]);

    const unseen = await post(`${path}/sent`, { txid: signed.txid }, 200);
    expect(unseen.refunds[0]).toMatchObject({ state: 'sent', seen: false, vout: null });
    await node.rpc('sendrawtransaction', signed.hex);
    await waitForRefund(id, 'is seen', ({ seen }) => seen);
    const block = (await node.mine(1))[0]!;
    expect(await waitForRefund(id, 'is confirmed', ({ state }) => state === 'confirmed')).toMatchObject({
      ...{ vout: 0, confirmations: 1, confirmed_at: expect.any(String) },
    });
    await post(`${path}/cancel`, {}, 409);

    await node.rpc('invalidateblock', block);
    await waitForRefund(id, 'is unconfirmed', ({ state }) => state === 'sent');
    // Another spend of the wallet's coin takes its place.
    const conflict = signTransaction(wallet, [{ value: 1_000_000n, script: buyer.script }]);
    await mineExactly(node, [{ hex: conflict.hex, txid: '', coins: [] }]);
    await desk.waitForJudged(await mineEmpty(node, 1));
    expect(await waitForRefund(id, 'is gone', ({ state }) => state === 'gone')).toMatchObject({
      ...{ seen: true, height: null, confirmed_at: null },
    });

    const { transaction: again } = await post(`${path}/transaction`, { from }, 200);
    const resigned = signPsbt(again.psbt, [shop, wallet]);
    await node.rpc('sendrawtransaction', resigned.hex);
    await service.waitForMempool();
    expect((await post(`${path}/sent`, { txid: resigned.txid }, 200)).refunds[0]).toMatchObject({
      ...{ state: 'sent', seen: true, txid: resigned.txid },
    });
    await desk.waitForJudged((await node.mine(1))[0]!);
    await waitForRefund(id, 'is confirmed', ({ state }) => state === 'confirmed');
    expect(await refundEvents(id)).toEqual([
      ...['refund.created', 'refund.sent', 'refund.sent', 'refund.confirmed', 'refund.sent', 'refund.gone'],
      ...['refund.sent', 'refund.confirmed'],
    ]);
    const { type, data } = JSON.parse(JSON.stringify(await desk.lastEvent(id)));
    expect(type).toBe('refund.confirmed');
    expect(data).toMatchObject({
      payment: { id, status: 'expired' },
      leftover: { refunded: AMOUNT_TEXT, refunds: [{ state: 'confirmed' }] },
      refund_id: made.refunds[0].id,
    });
    await post(`${path}/sent`, { txid: signed.txid }, 409);
    await post(`${path}/transaction`, { from }, 409);
  });

  test('is what is above the amount, and what came to a payment that was cancelled', async () => {
    const [rich, closed] = [nextSigner(), nextSigner()];
    const ids = [await create(rich), await create(closed)] as const;
    await mineExactly(node, [pay(rich, AMOUNT), pay(rich, AMOUNT / 2n), pay(closed, AMOUNT / 2n)]);
    await desk.waitFor(ids[0], 'overpaid');
    await desk.waitFor(ids[1], 'underpaid');
    expect(await isListed(ids[0])).toBe(true);
    expect(await isListed(ids[1])).toBe(false);
    await post(`${ids[1]}/cancel`, {}, 200);
    expect(await find(ids[0])).toMatchObject({
      kinds: ['overpaid'],
      left_over: HALF_TEXT,
      settled: HALF_TEXT,
    });
    expect(await find(ids[1])).toMatchObject({ kinds: ['closed'], left_over: HALF_TEXT, settled: HALF_TEXT });
    expect(await isListed(ids[1])).toBe(true);
    await post(`${ids[1]}/accept`, {}, 200);
    expect(await isListed(ids[1])).toBe(false);
    expect(await find(ids[1])).toMatchObject({ kinds: [], left_over: '0.00000000' });
  });

  test('does not go back before it has its confirmations, nor a second time, nor as dust', async () => {
    const shop = nextSigner();
    const id = await create(shop);
    await expire(id);
    const tx = pay(shop, AMOUNT);
    await node.rpc('sendrawtransaction', tx.hex, 0);
    await desk.waitUntilRow(id, 'has late money', ({ late }) => late === String(AMOUNT));
    const to = { address: nextSigner().address };
    expect(await find(id)).toMatchObject({
      left_over: AMOUNT_TEXT,
      settled: '0.00000000',
      pending: AMOUNT_TEXT,
    });
    expect((await post(`${id}/refunds`, to, 409)).code).toBe('refund_too_early');
    await desk.waitForJudged(await mineExactly(node, [tx]));
    expect((await post(`${id}/refunds`, {}, 422)).code).toBe('refund_address_missing');
    expect((await post(`${id}/refunds`, { address: shop.address }, 400)).code).toBe('address_invalid');
    expect((await post(`${id}/refunds`, { ...to, amount: '0.00000001' }, 422)).code).toBe('output_dust');
    expect((await post(`${id}/refunds`, { ...to, amount: '0.003000001' }, 400)).code).toBe('amount_invalid');
    expect((await post(`${id}/refunds`, { ...to, amount: '0.00300001' }, 422)).code).toBe('refund_too_large');
    const { refunds } = await post(`${id}/refunds`, { ...to, amount: HALF_TEXT }, 201);
    expect((await post(`${id}/refunds`, { ...to, amount: AMOUNT_TEXT }, 422)).code).toBe('refund_too_large');
    await post(`${id}/refunds`, to, 201);
    expect((await post(`${id}/refunds`, to, 409)).code).toBe('nothing_to_refund');
    expect((await post(`${id}/accept`, {}, 409)).code).toBe('payment_not_acceptable');
    const cancelled = await post(`${id}/refunds/${refunds[0].id}/cancel`, {}, 200);
    expect(cancelled).toMatchObject({ refunded: HALF_TEXT, open: HALF_TEXT });
    expect(await post(`${id}/refunds/${refunds[0].id}/cancel`, {}, 200)).toEqual(cancelled);
    expect((await post(`${id}/refunds/${refunds[0].id}/sent`, { txid: tx.txid }, 409)).code).toBe(
      'refund_closed',
    );
    expect((await post(`${id}/refunds/ref_00000000000000000000/cancel`, {}, 404)).code).toBe(
      'refund_not_found',
    );
    expect(await isListed(id)).toBe(true);
  });

  test('is let be by a word, which money that comes later does not hide behind', async () => {
    const shop = nextSigner();
    const id = await makeLate(shop);
    const note = 'Settled in the shop.';
    const resolved = await post(`${id}/resolve`, { note }, 200);
    expect(resolved).toMatchObject({ resolved: AMOUNT_TEXT, open: '0.00000000', resolutions: [{ note }] });
    expect(await post(`${id}/resolve`, { note }, 200)).toEqual(resolved);
    expect(await isListed(id)).toBe(false);
    // What was let be goes away for good, and other money comes.
    await node.rpc('invalidateblock', await node.rpc('getbestblockhash'));
    const gone = (await desk.outputs(id))[0]!;
    const coin = await node.rpc<{ vin: { txid: string; vout: number }[] }>(
      'getrawtransaction',
      gone.txid,
      true,
    );
    const other = spend(
      [{ ...coin.vin[0]!, value: 2_000_000n, owner: 1 }],
      [{ value: 1_900_000n, owner: 7 }],
    );
    await mineExactly(node, [other]);
    await desk.waitForJudged(await mineEmpty(node, 1));
    expect(await find(id)).toMatchObject({ left_over: '0.00000000', resolved: '0.00000000' });
    expect((await post(`${id}/resolve`, { note }, 409)).code).toBe('nothing_to_refund');
    await desk.waitForJudged(await mineExactly(node, [pay(shop, AMOUNT / 2n)]));
    expect(await find(id)).toMatchObject({ open: HALF_TEXT, resolved: '0.00000000' });
    expect(await isListed(id)).toBe(true);
  });

  test('that is not there any more after it went back is said to be uncovered', async () => {
    const id = await makeLate();
    await post(`${id}/refunds`, { address: nextSigner().address }, 201);
    await desk.waitForJudged(await mineEmpty(node, 1));
    await node.rpc('invalidateblock', await node.rpc('getbestblockhash'));
    const [output] = await desk.outputs(id);
    await node.rpc('invalidateblock', await node.rpc('getbestblockhash'));
    const tx = await node.rpc<{ vin: { txid: string; vout: number }[] }>(
      'getrawtransaction',
      output!.txid,
      true,
    );
    await mineExactly(node, [
      spend([{ ...tx.vin[0]!, value: 2_000_000n, owner: 1 }], [{ value: 1_900_000n, owner: 7 }]),
    ]);
    await desk.waitForJudged(await mineEmpty(node, 2));
    expect(await find(id)).toMatchObject({
      ...{ left_over: '0.00000000', refunded: AMOUNT_TEXT, uncovered: AMOUNT_TEXT, open: '0.00000000' },
      kinds: ['uncovered'],
    });
    expect(await isListed(id)).toBe(true);
    await post(`${id}/resolve`, { note: 'The buyer will pay again.' }, 200);
    expect(await isListed(id)).toBe(false);
    expect(await find(id)).toMatchObject({ uncovered: AMOUNT_TEXT, resolved: '0.00000000' });
    const [refund] = (await find(id)).refunds;
    await post(`${id}/refunds/${refund!.id}/cancel`, {}, 200);
    expect(await find(id)).toMatchObject({ uncovered: '0.00000000', kinds: [] });
    expect(await isListed(id)).toBe(false);
  });

  test('of several refunds in one transaction: each output serves one', async () => {
    const buyer = nextSigner();
    const ids = [await makeLate(), await makeLate(), await makeLate()];
    const paths: string[] = [];
    for (const id of ids) {
      const { refunds } = await post(`${id}/refunds`, { address: buyer.address }, 201);
      paths.push(`${id}/refunds/${refunds[0].id}`);
    }
    const coin = nextCoin();
    const both = spend(
      [coin],
      [
        { value: AMOUNT, script: buyer.script },
        { value: AMOUNT + 5n, script: buyer.script },
        { value: AMOUNT - 1n, script: buyer.script },
      ],
    );
    await desk.waitForJudged(await mineExactly(node, [both]));
    const named = await Promise.all(
      paths.map((path) => merchant.post(`/api/v1/payments/${path}/sent`, { txid: both.txid.toUpperCase() })),
    );
    const done = named.filter(({ status }) => status === 200).map(({ json }) => json.refunds[0]);
    expect(done.map(({ vout, state }) => [vout, state]).sort()).toEqual([
      [0, 'confirmed'],
      [1, 'confirmed'],
    ]);
    const refused = named.filter(({ status }) => status !== 200);
    expect(refused.map(({ json }) => json.code)).toEqual(['refund_output_missing']);
  });

  test('that a transaction was named for before it was seen, and which it does not pay, is gone', async () => {
    const id = await makeLate();
    const { refunds } = await post(`${id}/refunds`, { address: nextSigner().address }, 201);
    const other = pay(nextSigner(), AMOUNT);
    await post(`${id}/refunds/${refunds[0].id}/sent`, { txid: other.txid }, 200);
    await node.rpc('sendrawtransaction', other.hex, 0);
    expect(await waitForRefund(id, 'is gone', ({ state }) => state === 'gone')).toMatchObject({
      ...{ problem: 'output_missing', seen: true },
    });
    await post(`${id}/refunds/${refunds[0].id}/cancel`, {}, 200);
  });

  test('is not cancelled, and no other transaction takes its place, while one that was named for it is there', async () => {
    const [id, buyer] = [await makeLate(), nextSigner()];
    const { refunds } = await post(`${id}/refunds`, { address: buyer.address }, 201);
    const path = `${id}/refunds/${refunds[0].id}`;
    const [unseen, first, other] = [pay(buyer, AMOUNT), pay(buyer, AMOUNT), pay(buyer, AMOUNT)];
    // What nobody has seen gives way.
    await post(`${path}/sent`, { txid: unseen.txid }, 200);
    await post(`${path}/sent`, { txid: first.txid }, 200);
    await node.rpc('sendrawtransaction', first.hex, 0);
    await waitForRefund(id, 'is seen', ({ seen }) => seen);
    const refused = await post(`${path}/sent`, { txid: other.txid }, 409);
    expect([refused.code, refused.detail]).toEqual([
      'refund_transaction_stands',
      expect.stringContaining(first.txid),
    ]);
    expect((await post(`${path}/cancel`, {}, 409)).code).toBe('refund_not_cancellable');
    expect((await find(id)).refunds[0]).toMatchObject({ txid: first.txid, seen: true });
    await desk.waitForJudged(await mineExactly(node, [first]));
    await waitForRefund(id, 'is confirmed', ({ state }) => state === 'confirmed');
  });

  test('is what an earlier transaction pays that comes back after another was named', async () => {
    const [id, buyer] = [await makeLate(), nextSigner()];
    const { refunds } = await post(`${id}/refunds`, { address: buyer.address }, 201);
    const path = `${id}/refunds/${refunds[0].id}`;
    const [first, second] = [pay(buyer, AMOUNT), pay(buyer, AMOUNT)];
    await post(`${path}/sent`, { txid: first.txid }, 200);
    await post(`${path}/sent`, { txid: second.txid }, 200);
    await node.rpc('sendrawtransaction', first.hex, 0);
    await service.waitForMempool();
    expect((await post(`${path}/cancel`, {}, 409)).detail).toContain(first.txid);
    await waitForRefund(id, 'has the first again', ({ txid, seen }) => txid === first.txid && seen);
    await desk.waitForJudged(await mineExactly(node, [first]));
    expect(await waitForRefund(id, 'is confirmed', ({ state }) => state === 'confirmed')).toMatchObject({
      txid: first.txid,
    });
  });

  test('may get a higher fee: what takes the place of its transaction in the mempool is taken', async () => {
    const [id, buyer] = [await makeLate(), nextSigner()];
    const { refunds } = await post(`${id}/refunds`, { address: buyer.address }, 201);
    const path = `${id}/refunds/${refunds[0].id}`;
    const coin = nextCoin();
    const [low, high] = [FEE, 20n * FEE].map((fee) =>
      spend(
        [coin],
        [
          { value: AMOUNT, script: buyer.script },
          { value: coin.value - AMOUNT - fee, owner: 7 },
        ],
        { sequence: 0 },
      ),
    );
    await node.rpc('sendrawtransaction', low!.hex, 0);
    await service.waitForMempool();
    await post(`${path}/sent`, { txid: low!.txid }, 200);
    await node.rpc('sendrawtransaction', high!.hex, 0);
    await service.waitForMempool();
    const [bumped] = (await post(`${path}/sent`, { txid: high!.txid }, 200)).refunds;
    expect(bumped).toMatchObject({ txid: high!.txid, seen: true, state: 'sent' });
    await desk.waitForJudged(await mineExactly(node, [high!]));
    await waitForRefund(id, 'is confirmed', ({ state }) => state === 'confirmed');
  });

  test('is no transaction that is older than its payment, or that paid it; buyers see where it went', async () => {
    const [shop, buyer] = [nextSigner(), nextSigner()];
    const old = pay(buyer, AMOUNT);
    await desk.waitForJudged(await mineExactly(node, [old]));
    const id = await create(shop);
    await expire(id);
    const coin = nextCoin();
    const paying = spend(
      [coin],
      [
        { value: AMOUNT, script: shop.script },
        { value: AMOUNT, script: buyer.script },
      ],
    );
    // Sent back before its record was made.
    const honest = pay(buyer, AMOUNT);
    await desk.waitForJudged(await mineExactly(node, [paying, honest]));
    const { refunds } = await post(`${id}/refunds`, { address: buyer.address }, 201);
    const path = `${id}/refunds/${refunds[0].id}`;
    for (const { txid } of [old, paying]) {
      expect((await post(`${path}/sent`, { txid }, 422)).code).toBe('refund_transaction_refused');
    }
    expect((await find(id)).refunds[0]).toMatchObject({ state: 'open', txid: null });
    expect((await post(`${path}/sent`, { txid: honest.txid }, 200)).refunds[0].state).toBe('confirmed');
    const shown = `${buyer.address.slice(0, 10)}…${buyer.address.slice(-6)}`;
    const { text } = await service.get(`/pay/${id}`);
    expect(text).toContain(shown);
    expect(text).not.toContain(buyer.address);
  });

  test('never goes back twice, however many ask at once', async () => {
    const id = await makeLate();
    const body = { address: nextSigner().address, amount: '0.00200000' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => merchant.post(`/api/v1/payments/${id}/refunds`, body)),
    );
    const codes = answers.map(({ json }) => json.code ?? 'made').sort();
    expect(codes).toEqual(['made', ...Array(7).fill('refund_too_large')]);
    const key = { 'Idempotency-Key': `refund ${id}` };
    const rest = { address: body.address };
    const first = await merchant.post(`/api/v1/payments/${id}/refunds`, rest, key);
    const again = await merchant.post(`/api/v1/payments/${id}/refunds`, rest, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await merchant.post(`/api/v1/payments/${id}/refunds`, body, key)).json.code).toBe(
      'idempotency_key_reused',
    );
    expect(await find(id)).toMatchObject({ refunded: AMOUNT_TEXT, open: '0.00000000' });
  });

  test('leaves no change at an address of a payment, and takes no change address of one', async () => {
    const shop = nextSigner();
    const id = await makeLate(shop);
    const { refunds } = await post(
      `${id}/refunds`,
      { address: nextSigner().address, amount: HALF_TEXT },
      201,
    );
    const path = `${id}/refunds/${refunds[0].id}/transaction`;
    expect((await post(path, {}, 422)).code).toBe('change_address_refused');
    const own = nextSigner();
    const { transaction } = await post(path, { change_address: own.address, fee_rate: '0.0001' }, 200);
    expect(transaction).toMatchObject({ inputs: [{ amount: AMOUNT_TEXT }], fee_rate: '0.00010000' });
    const { hex } = signPsbt(transaction.psbt, [shop]);
    const { vout } = await node.rpc<{ vout: { scriptPubKey: { hex: string } }[] }>(
      'decoderawtransaction',
      hex,
    );
    expect(vout.map(({ scriptPubKey }) => scriptPubKey.hex)[1]).toBe(bytesToHex(own.script));
    const pooled = nextSigner();
    await merchant.post('/api/v1/merchant/addresses', { addresses: [pooled.address] });
    expect((await post(path, { change_address: pooled.address }, 422)).code).toBe('change_address_refused');
    expect((await post(path, { from: [{ address: 'nothing' }] }, 400)).code).toBe('address_invalid');
  });

  test('is looked for once a round for each transaction, in blocks only at a new tip, and 14 days where it was never seen', async () => {
    const ids = [await makeLate(), await makeLate(), await makeLate(), await makeLate()];
    const buyer = nextSigner();
    const coin = nextCoin();
    const both = spend(
      [coin],
      [
        { value: AMOUNT, script: buyer.script },
        { value: AMOUNT, script: buyer.script },
      ],
    );
    await desk.waitForJudged(await mineExactly(node, [both]));
    const [shared, old] = ['5a'.repeat(32), '5b'.repeat(32)];
    const refunds = desk.precious.query<PaymentTables>();
    const named: string[] = [];
    for (const [i, txid] of [both.txid, both.txid, shared, shared].entries()) {
      const made = await post(`${ids[i]}/refunds`, { address: buyer.address }, 201);
      await post(`${ids[i]}/refunds/${made.refunds[0].id}/sent`, { txid }, 200);
      named.push(made.refunds[0].id);
    }
    const forgotten = await makeLate();
    const made = await post(`${forgotten}/refunds`, { address: buyer.address }, 201);
    const forgottenPath = `${forgotten}/refunds/${made.refunds[0].id}/sent`;
    await post(forgottenPath, { txid: old }, 200);
    const longAgo = Date.now() - 15 * 24 * 3_600_000;
    await refunds
      .updateTable('refund')
      .set({ sent_at: longAgo })
      .where('id', '=', made.refunds[0].id)
      .execute();

    let nowMs = Date.now();
    let looked: string[] = [];
    const tip = { height: 1_000_000, hash: 'aa'.repeat(32) };
    let heldForTurns = 0;
    const view = {
      get tip() {
        return { height: tip.height, hash: getValue(parseDisplayHash(tip.hash)) };
      },
      getSynced: async () => ({ atMs: nowMs }),
      findTx: async (txid: Uint8Array) => {
        looked.push(toDisplayHash(txid));
        return undefined;
      },
    };
    const follow = createRefundFollower({
      ...{ precious: desk.precious, profile: testProfile, publicUrl: '', now: () => nowMs },
      ...{ onEvent() {}, onDue() {} },
      async readChain(read) {
        const mark = setImmediate(() => (heldForTurns += 1));
        const found = await read(view as unknown as ChainView);
        clearImmediate(mark);
        return found;
      },
    });
    const refused = new Error('nothing is to be written here');
    // Whatever would be written is given up: the service follows the same refunds.
    const refuse = () => Promise.reject(refused);
    const turn = { check: refuse, checkJudging: refuse, isHeld: async () => true };
    const round = async (at = tip) => {
      looked = [];
      await follow({ tip: at, syncedAtMs: nowMs }, turn).catch((error) => {
        if (error !== refused) throw error;
      });
      return [shared, old, both.txid].map((txid) => looked.filter((one) => one === txid).length);
    };
    // Only what nobody has seen is left to look at: the others' refunds would be written.
    await refunds
      .updateTable('refund')
      .set({ final: 1 })
      .where('id', 'not in', [...named.slice(2), made.refunds[0].id])
      .execute();
    expect(await round()).toEqual([1, 0, 0]);
    expect(await round()).toEqual([0, 0, 0]);
    nowMs += 1_000;
    expect(await round()).toEqual([1, 0, 0]);
    await refunds.updateTable('refund').set({ final: 0 }).where('id', 'in', named.slice(0, 2)).execute();
    nowMs += 1_000;
    expect(await round()).toEqual([1, 0, 0]);
    tip.hash = 'bb'.repeat(32);
    expect((await round())[2]).toBe(1);
    // A chain of another hash is another one, as high as it may be.
    const seen = { ...tip };
    tip.hash = 'cc'.repeat(32);
    nowMs += 1_000;
    expect(await round(seen)).toEqual([0, 0, 0]);
    expect(heldForTurns, 'snapshots of the index that were held while others had their turn').toBe(0);

    // Named again, it is watched again.
    await post(forgottenPath, { txid: old }, 200);
    await refunds.updateTable('refund').set({ final: 1 }).where('id', 'in', named.slice(0, 2)).execute();
    expect(await round()).toEqual([1, 1, 0]);
  });

  test('is nothing to other merchants', async () => {
    const id = await makeLate();
    const other = await suite.createMerchant();
    expect((await other.get(`/api/v1/payments/${id}/refunds`)).json.code).toBe('payment_not_found');
    expect((await other.post(`/api/v1/payments/${id}/resolve`, { note: 'x' })).json.code).toBe(
      'payment_not_found',
    );
    expect((await other.get('/api/v1/merchant/unsettled')).json).toEqual({ items: [], next_cursor: null });
  });
});
