import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, type RawTx, send, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { coins } from './node-chain.ts';
import { getJson } from './read-api.ts';

const VALUE = 1_000_000n;
const FEE = 1_000n;
const REPLACEABLE = { sequence: 0xffff_fffd };

type Entry = { vsize: number; ancestorcount: number; descendantcount: number; ancestorsize: number };

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 500;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode({ extraArgs: replacementArgs });
  nextCoin = await openPurse(node, { count: 60, value: VALUE, owner: 1 });
});
afterAll(() => node.stop());

/** Spends a coin to one output of an owner of its own. */
function pay(coin: RawCoin, fee: bigint, options: { sequence?: number } = {}): RawTx {
  return spend([coin], [{ value: coin.value - fee, owner: nextOwner() }], options);
}

forEachEngine('a transaction that waits', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  async function sendAll(...txs: RawTx[]): Promise<void> {
    for (const tx of txs) await send(node, tx);
    await service.waitForMempool();
  }

  const read = ({ txid }: RawTx) => getJson(service, `/api/v1/tx/${txid}/mempool`);
  const statusOf = async ({ txid }: RawTx) => (await service.get(`/api/v1/tx/${txid}`)).status;
  const mine = async () => service.waitForTip((await node.mine(1))[0]);

  test('has the ancestors and descendants that the node counts, and a child that pays for its parents', async () => {
    const parent = pay(nextCoin(), FEE);
    const child = pay(parent.coins[0]!, FEE);
    const grandchild = pay(child.coins[0]!, 20n * FEE);
    const alone = pay(nextCoin(), 2n * FEE);
    const family = [parent, child, grandchild];
    await sendAll(...family, alone);

    const entries = await node.rpc<Record<string, Entry>>('getrawmempool', true);
    const vsize = entries[parent.txid]!.vsize;
    for (const [i, tx] of family.entries()) {
      const shown = await read(tx);
      const { ancestorcount, descendantcount, ancestorsize } = entries[tx.txid]!;
      expect(shown).toMatchObject({
        state: 'waiting',
        ancestors: { count: ancestorcount - 1, vsize: ancestorsize - vsize, fees: coins(BigInt(i) * FEE) },
        descendants: { count: descendantcount - 1 },
        replaced_by: null,
        replaced: [],
      });
      const listed = (list: { items: { txid: string }[] }) => list.items.map(({ txid }) => txid);
      // Nearest first.
      expect(listed(shown.ancestors)).toEqual(
        family
          .slice(0, i)
          .reverse()
          .map(({ txid }) => txid),
      );
      expect(listed(shown.descendants)).toEqual(family.slice(i + 1).map(({ txid }) => txid));
      // All three are mined together or not at all.
      expect(Number(shown.effective_fee_rate)).toBeCloseTo(22_000 / (3 * vsize), 0);
    }
    expect((await read(parent)).fee_rate).toBe(
      (await getJson(service, `/api/v1/tx/${parent.txid}`)).fee_rate,
    );
    // What is mined with it is not ahead of it.
    expect((await read(parent)).place).toMatchObject({ vsize_ahead_least: 0, vsize_ahead_most: 0 });
    const single = await read(alone);
    expect(single.effective_fee_rate).toBe(single.fee_rate);
    await mine();
  });

  test('stands behind what pays more, and before what pays less', async () => {
    const [low, middle, high] = [FEE, 4n * FEE, 40n * FEE].map((fee) => pay(nextCoin(), fee)) as [
      RawTx,
      RawTx,
      RawTx,
    ];
    await sendAll(low, middle, high);
    const entries = await node.rpc<Record<string, Entry>>('getrawmempool', true);
    const vsize = entries[low.txid]!.vsize;
    const place = (ahead: number) => ({
      vsize_ahead_least: ahead * vsize,
      vsize_ahead_most: ahead * vsize,
      block: 1,
      mempool_vsize: 3 * vsize,
    });
    expect((await read(high)).place).toEqual(place(0));
    expect((await read(middle)).place).toEqual(place(1));
    expect((await read(low)).place).toEqual(place(2));
    await mine();
    expect(await read(low)).toMatchObject({ state: 'confirmed', place: null, ancestors: null, replaced: [] });
  });

  test('says what it replaced, and what was replaced says by what, however the service came to know', async () => {
    const coin = nextCoin();
    const first = pay(coin, FEE, REPLACEABLE);
    const child = pay(first.coins[0]!, FEE);
    await sendAll(first, child);
    // The node has the second when it is asked.
    const second = pay(coin, 10n * FEE, REPLACEABLE);
    await sendAll(second);
    // The third is sent by a client of the service.
    const third = pay(coin, 40n * FEE, REPLACEABLE);
    const sent = await service.post('/api/v1/broadcast', { raw_tx: third.hex });
    expect([sent.status, sent.json.visibility]).toEqual([200, 'visible']);

    expect(await Promise.all([first, child, second, third].map(statusOf))).toEqual([404, 404, 404, 200]);
    const replaced = (tx: RawTx, by: RawTx, fee: bigint, direct = true) => ({
      txid: tx.txid,
      replaced_by: by.txid,
      direct,
      time: expect.any(String),
      fee: coins(fee),
      fee_rate: expect.any(String),
      vsize: expect.any(Number),
    });
    const ofFirst = replaced(first, second, FEE);
    const ofChild = replaced(child, second, FEE, false);
    const ofSecond = replaced(second, third, 10n * FEE);
    expect(await read(first)).toMatchObject({ state: 'replaced', place: null, replaced_by: ofFirst });
    expect(await read(child)).toMatchObject({ state: 'replaced', replaced_by: ofChild });
    expect(await read(second)).toMatchObject({ state: 'replaced', replaced_by: ofSecond });
    const shown = await read(third);
    expect(shown).toMatchObject({ state: 'waiting', replaced_by: null });
    expect(shown.replaced).toEqual([ofSecond, expect.anything(), expect.anything()]);
    expect(shown.replaced).toEqual(expect.arrayContaining([ofFirst, ofChild]));

    await service.kill();
    await service.start();
    await service.waitForMempool();
    expect(await read(third)).toEqual(shown);
    await mine();
    expect(await read(third)).toMatchObject({ state: 'confirmed', replaced: shown.replaced });
  });

  test('is replaced by what a block has in its place, and no longer is when that block goes', async () => {
    const coin = nextCoin();
    const loser = pay(coin, FEE);
    const child = pay(loser.coins[0]!, FEE);
    await sendAll(loser, child);
    const winner = pay(coin, 2n * FEE);
    const hash = await mineExactly(node, [winner]);
    await service.waitForTip(hash);
    expect(await read(loser)).toMatchObject({
      state: 'replaced',
      replaced_by: { replaced_by: winner.txid, direct: true },
    });
    expect(await read(child)).toMatchObject({ replaced_by: { replaced_by: winner.txid, direct: false } });
    expect((await read(winner)).replaced).toHaveLength(2);

    await node.rpc('invalidateblock', hash);
    await service.waitForTip();
    await service.waitForMempool();
    const other = await mineExactly(node, [loser]);
    await service.waitForTip(other);
    expect(await read(loser)).toMatchObject({ state: 'confirmed', replaced_by: null });
    expect(await read(winner)).toMatchObject({ state: 'replaced', replaced_by: { replaced_by: loser.txid } });
  });

  test('that nothing is known of is a 404', async () => {
    const { status, json } = await service.get(`/api/v1/tx/${'0'.repeat(64)}/mempool`);
    expect([status, json.code]).toEqual([404, 'transaction_not_found']);
    expect((await service.get('/api/v1/tx/zz/mempool')).status).toBe(400);
  });
});
