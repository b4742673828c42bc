import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainView } from '../../service/src/chain/chain-view.ts';
import { forEachEngine } from '../harness/engines.ts';
import { nextSnapshot } from '../harness/index-dump.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin, send, spend } from '../harness/raw-coins.ts';
import { catchUp, followLive, openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';

const VALUE = 1_000_000n;

let node: TestNode;
let nextCoin: () => RawCoin;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 20, value: VALUE, owner: 1 });
});
afterAll(() => node.stop());

const makeTx = () => spend([nextCoin()], [{ value: VALUE - 1_000n, owner: 2 }]);

forEachEngine('what follows the index', (engine) => {
  async function read<T>(indexer: TestIndexer, look: (view: ChainView) => Promise<T>): Promise<T> {
    await nextSnapshot();
    return await indexer.readChain(look);
  }
  const listArrivals = (indexer: TestIndexer, afterId = 0) =>
    read(indexer, (view) => view.listMempoolArrivals(afterId, 100));

  test('is told of whole states only, and up to when they are whole', async () => {
    const indexer = await openTestIndexer(await engine.openUrl());
    const readMark = () =>
      read(indexer, async (view) => ({ version: view.mempool.version, synced: await view.getSynced() }));
    expect((await readMark()).synced).toBeUndefined();
    const startedMs = Date.now();
    await catchUp(node.client, indexer);
    const first = await readMark();
    expect(first.synced?.atMs).toBeGreaterThanOrEqual(startedMs);
    expect(first.synced?.atMs).toBeLessThanOrEqual(Date.now());

    // A step of the chain is whole when the mempool was looked at after it.
    await mineExactly(node, []);
    await catchUp(node.client, indexer, { batches: 1 });
    const stepped = await readMark();
    expect(stepped.version).toBeGreaterThan(first.version);
    expect(stepped.synced).toBeUndefined();

    // The mark goes on while nothing changes, and changes nothing that is read.
    const follower = followLive(node.client, indexer);
    await waitUntil('the mark is there', async () => (await readMark()).synced !== undefined);
    const marked = await readMark();
    await waitUntil('the mark goes on', async () => (await readMark()).synced!.atMs > marked.synced!.atMs);
    expect((await readMark()).version).toBe(marked.version);
    await follower.stop();
    await indexer.close();
  });

  test('is not told as unconfirmed of what a client sent and a block has mined meanwhile', async () => {
    const indexer = await openTestIndexer(await engine.openUrl());
    const [mined, waiting] = [makeTx(), makeTx()];
    await mineExactly(node, [mined]);
    await catchUp(node.client, indexer);
    const raws = [mined, waiting].map(({ hex }) => getHexBytes(hex));
    expect(await indexer.mempool.admit(raws, Date.now())).toBe(0);
    const arrivals = await listArrivals(indexer);
    expect(arrivals.map(({ txid }) => toDisplayHash(txid))).toEqual([waiting.txid]);
    // The state with what the node does not have, as here, is not taken for a whole one.
    expect(await read(indexer, (view) => view.getSynced())).toBeUndefined();
    await indexer.close();
  });

  test('gets each arrival in the mempool under a number of its own, also after a restart of the indexer', async () => {
    const location = await engine.openUrl();
    const [first, second] = [await send(node, makeTx()), await send(node, makeTx())];
    const before = await openTestIndexer(location);
    await catchUp(node.client, before);
    const arrivals = await listArrivals(before);
    expect(arrivals.map(({ txid }) => toDisplayHash(txid)).sort()).toEqual([first.txid, second.txid].sort());
    const last = arrivals.at(-1)!.id;
    await mineExactly(node, [first, second]);
    await catchUp(node.client, before);
    expect(await listArrivals(before)).toEqual([]);
    await before.close();

    const third = await send(node, makeTx());
    const after = await openTestIndexer(location);
    await catchUp(node.client, after);
    const fresh = await listArrivals(after, last);
    expect(fresh.map(({ txid }) => toDisplayHash(txid))).toEqual([third.txid]);
    const ids = [last, fresh[0]!.id];
    expect(await read(after, (view) => view.listMempoolIds(ids))).toEqual([fresh[0]!.id]);
    await mineExactly(node, [third]);
    await after.close();

    // An index that is made anew goes on as well.
    const fourth = await send(node, makeTx());
    const anew = await openTestIndexer(location, { identity: 'of another layout' });
    await catchUp(node.client, anew);
    const again = await listArrivals(anew, fresh[0]!.id);
    expect(again.map(({ txid }) => toDisplayHash(txid))).toEqual([fourth.txid]);
    await anew.close();
    await mineExactly(node, [fourth]);
  });

  test('reads the transactions of a block with their bytes, page by page', async () => {
    const txs = [makeTx(), makeTx()];
    const hash = await mineExactly(node, txs);
    const indexer = await openTestIndexer(await engine.openUrl());
    await catchUp(node.client, indexer);
    const pages = await read(indexer, async (view) => [
      await view.listBlockRawTxs(view.tip!, 0, 2),
      await view.listBlockRawTxs(view.tip!, 2, 2),
    ]);
    const { tx } = await node.rpc<{ tx: { txid: string; hex: string }[] }>('getblock', hash, 2);
    expect(pages.map((page) => page.length)).toEqual([2, 1]);
    expect(
      pages.flat().map(({ txid, raw }) => [toDisplayHash(txid), Buffer.from(raw).toString('hex')]),
    ).toEqual(tx.slice(0, 3).map(({ txid, hex }) => [txid, hex]));
    await indexer.close();
  });
});
