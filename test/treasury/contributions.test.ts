import { decodeAddress } from '@coinfront/protocol/address.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pruneSightings } from '../../service/src/parts/treasury/following/sighting-store.ts';
import type { TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, send, spend } from '../harness/raw-coins.ts';
import { startService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import {
  type Contributor,
  contribute,
  openTreasuryDesk,
  profile,
  spendTreasury,
  type TreasuryDesk,
  treasury,
  units,
} from './treasury-desk.ts';

let node: TestNode;
let nextCoin: () => RawCoin;
/** Coins that are worth more than a contribution of 0.01. */
const COIN = 20_000_000n;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 80, value: COIN, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('contributions', (engine) => {
  let desk: TreasuryDesk;
  let database: DatabaseLocation;
  let alice: Contributor;
  let bob: Contributor;
  let coinbase = '';

  beforeAll(async () => {
    // Money of before the service: mined to the treasury, and sent to it.
    const [hash] = await node.mine(1, treasury.address);
    coinbase = hash!;
    await node.rpc('generateblock', await node.newAddress(), [contribute(nextCoin(), [700_000n]).hex]);
    database = await engine.openUrl();
    desk = await openTreasuryDesk(node, database);
    alice = await desk.register('Alice');
    bob = await desk.register();
    await desk.settle();
  });
  afterAll(() => desk?.stop());

  test('of before are coinbases and unattributed, and the books agree with the chain from the start', async () => {
    expect(await desk.reconciled()).toMatchObject({ verified_in: '0.00000000', confirming_in: '0.00000000' });
    const entries = await desk.ledger();
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, i) => i + 1));
    expect(entries.find(({ block_hash }) => block_hash === coinbase)).toMatchObject({
      kind: 'coinbase',
      vout: 0,
    });
    expect(entries.at(-1)).toMatchObject({ kind: 'unattributed', reason: 'no_intent', amount: '0.00700000' });
    const { as_of, points } = (await desk.service.get('/api/treasury/series')).json;
    const balances = new Map([[0, '0.00000000']]);
    for (const { height, balance } of entries) balances.set(height, balance);
    balances.set(as_of.height, entries.at(-1)!.balance);
    expect(points.map((point: { height: number; balance: string }) => [point.height, point.balance])).toEqual(
      [...balances],
    );
    const few = (await desk.service.get('/api/treasury/series?points=2')).json.points;
    expect(few).toEqual([points[0], points.at(-1)]);
  });

  test('by exact amount and by carrier are attributed without any call, and verified when they are deep', async () => {
    const exact = await desk.intent(alice);
    const tagged = await desk.intent(bob, { method: 'carrier' });
    expect(tagged).toMatchObject({ exact_amount: null, payment_uri: null });
    expect(exact.payment_uri).toContain(`amount=${exact.exact_amount}`);
    const byAmount = contribute(nextCoin(), [units(exact.exact_amount)]);
    const byCarrier = contribute(nextCoin(), [600_000n, 50_000n], { carrier: tagged.carrier.script });
    await send(node, byAmount);
    await desk.service.waitForMempool();
    const seen = await desk.verify(byAmount.txid, exact.id);
    expect([seen.status, seen.json]).toEqual([
      202,
      expect.objectContaining({ state: 'pending', confirmations: 0, height: null }),
    ]);
    expect(Number(seen.headers.get('retry-after'))).toBeGreaterThan(0);

    await desk.mine(byAmount, byCarrier);
    expect((await desk.post('/me', { contributor_secret: alice.secret }, 200)).intents[0].state).toBe(
      'confirming',
    );
    expect((await desk.verify(byAmount.txid, exact.id)).status).toBe(202);
    await desk.deepen(treasury.confirmations - 1);
    expect(
      (await desk.verify(byAmount.txid, exact.id, { contributor_secret: alice.secret })).json,
    ).toMatchObject({
      ...{ state: 'verified', vouts: [0], matched_by: 'exact_amount', late: false },
      ...{ amount: exact.exact_amount, confirmations: treasury.confirmations },
    });
    const verified = await desk.verify(byCarrier.txid, tagged.id);
    expect([verified.status, verified.json]).toEqual([
      200,
      expect.objectContaining({ vouts: [0, 1], amount: '0.00650000', matched_by: 'carrier' }),
    ]);
    expect(await desk.entriesOf(byCarrier.txid)).toMatchObject([
      // Bob did not choose to be shown.
      { kind: 'contribution', amount: '0.00600000', contributor: { id: null, name: 'Anonymous' } },
      { kind: 'contribution', amount: '0.00050000', state: 'verified' },
    ]);
    expect(await desk.entriesOf(byAmount.txid)).toMatchObject([
      { contributor: { id: alice.id, name: 'Alice' }, late: false, reason: null },
    ]);
    const { json } = await desk.get('/contributors');
    expect(json.items).toMatchObject([
      { rank: 1, contributor: { name: 'Alice' }, verified_total: exact.exact_amount, contributions: 1 },
      {
        rank: 2,
        contributor: { id: null, name: 'Anonymous' },
        verified_total: '0.00650000',
        contributions: 2,
      },
    ]);
    const own = await desk.post('/me', { contributor_secret: bob.secret }, 200);
    expect(own).toMatchObject({ verified_total: '0.00650000', confirming_total: '0.00000000' });
    expect(own.contributions).toHaveLength(2);
    expect(own.intents[0].state).toBe('verified');
    await desk.reconciled();
  });

  test('are told apart from what is not theirs, each by its own code', async () => {
    const [first, second] = [await desk.intent(alice), await desk.intent(bob)];
    const amount = units(first.exact_amount);
    const under = contribute(nextCoin(), [amount - 1n]);
    const over = contribute(nextCoin(), [amount + 50_000n]);
    const elsewhere = contribute(nextCoin(), []);
    const foreignTag = contribute(nextCoin(), [amount], { carrier: second.carrier.script });
    const small = contribute(nextCoin(), [1_000n], { carrier: first.carrier.script });
    await desk.mine(under, over, elsewhere, foreignTag, small);
    const code = async (txid: string, more = {}) => {
      const { status, json } = await desk.verify(txid, first.id, more);
      return [status, json.code];
    };
    expect(await code(under.txid)).toEqual([422, 'contribution_wrong_amount']);
    expect(await code(over.txid)).toEqual([422, 'contribution_wrong_amount']);
    expect(await code(elsewhere.txid)).toEqual([422, 'contribution_wrong_address']);
    expect(await code(under.txid, { vout: 1 })).toEqual([422, 'contribution_wrong_address']);
    // The carrier wins, though the amount is that of the other intent.
    expect(await code(foreignTag.txid)).toEqual([409, 'outpoint_used']);
    expect((await desk.verify(foreignTag.txid, second.id)).json).toMatchObject({ matched_by: 'carrier' });
    expect(await code(small.txid)).toEqual([422, 'contribution_wrong_amount']);
    expect(await code('ab'.repeat(32))).toEqual([404, 'contribution_unseen']);
    expect((await desk.entriesOf(small.txid))[0]).toMatchObject({
      kind: 'unattributed',
      reason: 'below_minimum',
    });
    expect((await desk.entriesOf(under.txid))[0]).toMatchObject({
      kind: 'unattributed',
      reason: 'no_intent',
    });

    // Another's transaction is never one's own; somebody who was faster with a tag that he saw spoils nothing.
    const faster = contribute(nextCoin(), [6_000n], { carrier: first.carrier.script });
    await desk.mine(faster);
    const [byTag, byAmount] = [
      contribute(nextCoin(), [300_000n], { carrier: first.carrier.script }),
      contribute(nextCoin(), [amount]),
    ];
    await desk.mine(byTag, byAmount);
    for (const { txid } of [faster, byTag, byAmount])
      expect((await desk.verify(txid, first.id)).status).toBe(202);
    const third = await desk.intent(bob);
    expect((await desk.verify(byTag.txid, third.id)).json.code).toBe('outpoint_used');
    const stranger = await desk.verify(byAmount.txid, third.id, { contributor_secret: alice.secret });
    expect(stranger.json.code).toBe('intent_not_found');
    await desk.reconciled();
  });

  test('with a malformed, unknown or doubled tag fall back to their amount', async () => {
    const intent = await desk.intent(alice);
    const amount = units(intent.exact_amount);
    const stranger = contribute(nextCoin(), [amount], { carrier: `6a1456545231${'ee'.repeat(16)}` });
    const short = contribute(nextCoin(), [600_001n], { carrier: `6a0556545231aa` });
    await desk.mine(stranger, short);
    expect((await desk.entriesOf(stranger.txid))[0]).toMatchObject({ kind: 'contribution' });
    expect((await desk.entriesOf(short.txid))[0]).toMatchObject({
      kind: 'unattributed',
      reason: 'tag_malformed',
    });
    const { json } = await desk.verify(short.txid, (await desk.intent(alice)).id);
    expect(json.code).toBe('contribution_wrong_tag');
  });

  test('that come late are still their own until the intent is closed, and nobody else is given the amount', async () => {
    const [late, closed] = [await desk.intent(alice), await desk.intent(alice)];
    const before = Date.now() - 60_000;
    await desk.change(late.id, { created_at: before - 1, expires_at: before });
    await desk.change(closed.id, { created_at: before - 1, expires_at: before, closes_at: before });
    const [paidLate, paidClosed] = [late, closed].map(({ exact_amount }) =>
      contribute(nextCoin(), [units(exact_amount)]),
    );
    await desk.mine(paidLate!, paidClosed!);
    expect((await desk.entriesOf(paidLate!.txid))[0]).toMatchObject({ kind: 'contribution', late: true });
    expect((await desk.verify(paidLate!.txid, late.id)).json).toMatchObject({ state: 'pending', late: true });
    expect((await desk.entriesOf(paidClosed!.txid))[0]).toMatchObject({
      kind: 'unattributed',
      reason: 'intent_closed',
    });
    expect((await desk.verify(paidClosed!.txid, closed.id)).json.code).toBe('contribution_too_late');
    const states = (await desk.post('/me', { contributor_secret: alice.secret }, 200)).intents;
    expect(states.find(({ id }: { id: string }) => id === closed.id).state).toBe('closed');
  });

  test('that were replaced are told by what; the replacement is attributed by itself', async () => {
    const intent = await desk.intent(alice, { amount: '0.02' });
    const coin = nextCoin();
    const values = [units(intent.exact_amount)];
    const first = await send(node, contribute(coin, values));
    await waitUntil('it is seen', async () => (await desk.verify(first.txid, intent.id)).status === 202);
    const second = await send(node, contribute(coin, values, { fee: 50_000n }));
    await waitUntil('it is replaced', async () => (await desk.verify(first.txid, intent.id)).status === 409);
    const { status, json } = await desk.verify(first.txid, intent.id);
    expect([status, json.code]).toEqual([409, 'contribution_replaced']);
    expect(json.detail).toContain(second.txid);
    await desk.mine(second);
    expect((await desk.verify(first.txid, intent.id)).json.detail).toContain(second.txid);
    expect((await desk.entriesOf(second.txid))[0]).toMatchObject({
      kind: 'contribution',
      amount: intent.exact_amount,
    });
  });

  test("are no change: what the treasury pays to itself is nobody's, and its spends and fees are in the books", async () => {
    const intent = await desk.intent(alice);
    const mine = contribute(nextCoin(), [9_000_000n]);
    await desk.mine(mine);
    const before = await desk.reconciled();
    const payout = spendTreasury(
      [{ txid: mine.txid, vout: 0, value: 9_000_000n }],
      [{ value: 5_000_000n }, { value: units(intent.exact_amount), script: treasury.script }],
    );
    await desk.mine(payout);
    expect(await desk.entriesOf(payout.txid)).toMatchObject([
      { kind: 'spend', vout: null, contributor: null },
      { kind: 'fee' },
      { kind: 'change', amount: intent.exact_amount, vout: 1 },
    ]);
    expect((await desk.verify(payout.txid, intent.id)).json.code).toBe('contribution_is_change');
    const after = await desk.reconciled();
    const grown = (field: string) => units(after[field]) - units(before[field]);
    const fee = 4_000_000n - units(intent.exact_amount);
    expect([grown('fees'), grown('out'), grown('change_in')]).toEqual([
      fee,
      9_000_000n - fee,
      units(intent.exact_amount),
    ]);
    expect(grown('ledger_total')).toBe(units(intent.exact_amount) - 9_000_000n);
  });

  test('come with a transaction to sign, for a caller that names its address', async () => {
    const address = await node.newAddress('bech32');
    const { script } = getValue(decodeAddress(address, profile));
    await desk.mine(spend([nextCoin()], [{ value: COIN - 1_000n, script }]));
    const intent = await desk.intent(bob, { amount: '0.05', address });
    expect(intent.transaction_refused).toBeNull();
    const { psbt } = await node.rpc<{ psbt: string }>('walletprocesspsbt', intent.transaction.psbt);
    const { hex } = await node.rpc<{ hex: string }>('finalizepsbt', psbt);
    const txid = await node.rpc<string>('sendrawtransaction', hex);
    await desk.mine({ txid, hex, coins: [] });
    expect((await desk.entriesOf(txid))[0]).toMatchObject({
      kind: 'contribution',
      amount: intent.exact_amount,
    });
    expect((await desk.verify(txid, intent.id)).json).toMatchObject({ matched_by: 'carrier' });
    await desk.reconciled();
  });

  test('cannot be judged while the index is behind the node, which is said', async () => {
    const intent = await desk.intent(alice);
    const tx = contribute(nextCoin(), [units(intent.exact_amount)]);
    await desk.service.stop();
    await mineExactly(node, [tx]);
    // Nobody indexes.
    const settings = { COINFRONT_ROLES: 'api' };
    const behind = await startService({ nodeUrl: node.url, database, settings, waitFor: 'answer' });
    const post = (path: string, body: object) => behind.post(`/api/treasury${path}`, body);
    await waitUntil('it knows the height of the node', async () => {
      const { json } = await behind.get('/api/treasury/health');
      return json.status === 'behind' && json.node_height === json.index_height + 1;
    });
    const answers = [
      await post('/verify', { txid: tx.txid, intent_id: intent.id }),
      await post('/intents', { contributor_secret: alice.secret, amount: '1' }),
    ];
    for (const { status, json, headers } of answers) {
      expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'service_behind_node', '5']);
    }
    await behind.stop();
    await desk.service.start();
    await desk.settle();
    expect((await desk.verify(tx.txid, intent.id)).json).toMatchObject({
      state: 'pending',
      confirmations: 1,
    });
    await desk.reconciled();
  });

  test('forgets what only a mempool had long ago, and nothing that came into a block', async () => {
    const db = desk.precious.query<TreasuryTables>();
    const old = Date.now() - 100 * 86_400_000;
    const [entry] = await desk.ledger();
    const row = { first_seen_at: old, first_version: null, inputs: '' };
    await db
      .insertInto('treasury_sighting')
      .values([
        { ...row, txid: 'aa' },
        { ...row, txid: 'bb', first_seen_at: old + 20 * 86_400_000 },
      ])
      .execute();
    await db.updateTable('treasury_sighting').set(row).where('txid', '=', entry.txid).execute();
    await pruneSightings(db, Date.now() - 90 * 86_400_000);
    const left = await db.selectFrom('treasury_sighting').select('txid').execute();
    expect(left.map(({ txid }) => txid)).toEqual(expect.arrayContaining(['bb', entry.txid]));
    expect(left.map(({ txid }) => txid)).not.toContain('aa');
  });
});
