import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import {
  addressOfOwner,
  makeMatureCoins,
  mineExactly,
  type RawCoin,
  type RawTx,
  send,
  spend,
} from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { getJson, listPages, type Page } from './read-api.ts';

const VALUE = 1_000_000n;
const FEE = 1_000n;

let node: TestNode;
let spare: RawCoin[];
let owners = 100;

beforeAll(async () => {
  node = await startNode();
  spare = await makeMatureCoins(node, { count: 120, value: VALUE, owner: 1 });
});
afterAll(() => node.stop());

/** Payments to an owner, each of a coin of its own. */
function payments(owner: number, count: number): RawTx[] {
  return spare.splice(0, count).map((coin) => spend([coin], [{ value: VALUE - FEE, owner }]));
}

function txidsOf(items: readonly { txid: string }[]): string[] {
  return items.map(({ txid }) => txid);
}

forEachEngine('pages', (engine) => {
  let service: TestService;
  let owner: number;
  let history: string;
  let utxos: string;

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  function takeOwner(): void {
    owners += 1;
    owner = owners;
    history = `/api/v1/address/${addressOfOwner(owner)}/txs`;
    utxos = `/api/v1/utxos/${addressOfOwner(owner)}`;
  }

  async function mine(txs: readonly RawTx[]): Promise<string> {
    const hash = await mineExactly(node, txs);
    await service.waitForTip(hash);
    return hash;
  }

  async function mineMempool(): Promise<void> {
    await service.waitForTip((await node.mine(1))[0]);
  }

  async function sendAll(txs: readonly RawTx[]): Promise<void> {
    for (const tx of txs) await send(node, tx);
    await service.waitForMempool();
  }

  const first = (path: string, limit: number): Promise<Page> => getJson(service, `${path}?limit=${limit}`);

  async function readRest(path: string, limit: number, page: Page): Promise<string[]> {
    const txids: string[] = [];
    for (let cursor = page.next_cursor; cursor !== null; ) {
      const next: Page = await getJson(service, `${path}?limit=${limit}&cursor=${cursor}`);
      txids.push(...txidsOf(next.items));
      cursor = next.next_cursor;
    }
    return txids;
  }

  async function followOnce(path: string, page: Page): Promise<{ status: number; code: string | undefined }> {
    const { status, json } = await service.get(`${path}?limit=2&cursor=${page.next_cursor}`);
    return { status, code: json.code };
  }

  test('of a history go on where they were while blocks pay the address again', async () => {
    takeOwner();
    const older = payments(owner, 7);
    const newer = payments(owner, 4);
    await mine(older);
    const page = await first(history, 2);
    await mine(newer.slice(0, 2));
    await sendAll(newer.slice(2));
    const all = [...txidsOf(page.items), ...(await readRest(history, 3, page))];
    expect(all).toEqual(txidsOf(older.toReversed()));
    await mineMempool();
    const anew = (await listPages(service, history, 3)).flat();
    expect(txidsOf(anew).sort()).toEqual(txidsOf([...older, ...newer]).sort());
  });

  test('of a history go on from the mempool into the chain, whatever comes into the mempool', async () => {
    takeOwner();
    const confirmed = payments(owner, 3);
    const pending = payments(owner, 5);
    await mine(confirmed);
    await sendAll(pending);
    const page = await first(history, 2);
    await sendAll(payments(owner, 1));
    const all = [...txidsOf(page.items), ...(await readRest(history, 2, page))];
    expect(all.slice(0, 5).sort()).toEqual(txidsOf(pending).sort());
    expect(all.slice(5)).toEqual(txidsOf(confirmed.toReversed()));
    await mineMempool();
  });

  test('of a history in the mempool expire when a block mines transactions of the address', async () => {
    takeOwner();
    await mine(payments(owner, 2));
    await sendAll(payments(owner, 5));
    const page = await first(history, 2);
    await mineMempool();
    expect(await followOnce(history, page)).toEqual({ status: 409, code: 'cursor_expired' });
    const items = (await listPages(service, history, 2)).flat();
    expect(new Set(txidsOf(items)).size).toBe(7);
    expect(items).toHaveLength(7);
  });

  test('of a history in the mempool go on when a block mines nothing of the address', async () => {
    takeOwner();
    await mine(payments(owner, 2));
    await sendAll(payments(owner, 5));
    const page = await first(history, 2);
    await mine(payments(1, 1));
    const all = [...txidsOf(page.items), ...(await readRest(history, 2, page))];
    expect(new Set(all).size).toBe(7);
    expect(all).toHaveLength(7);
    await mineMempool();
  });

  test('of unspent outputs have each once while the mempool is mined and blocks come', async () => {
    takeOwner();
    const confirmed = payments(owner, 5);
    const pending = payments(owner, 3);
    await mine(confirmed);
    await sendAll(pending);
    const page = await first(utxos, 2);
    await mineMempool();
    const newer = payments(owner, 1);
    await mine(newer);
    const all = [...txidsOf(page.items), ...(await readRest(utxos, 2, page))];
    expect(all.sort()).toEqual(txidsOf([...confirmed, ...pending, ...newer]).sort());
  });

  test('of unspent outputs in the mempool expire when a block mines outputs of the address', async () => {
    takeOwner();
    await mine(payments(owner, 1));
    await sendAll(payments(owner, 5));
    const page = await first(utxos, 3);
    await mineMempool();
    expect(await followOnce(utxos, page)).toEqual({ status: 409, code: 'cursor_expired' });
    expect((await listPages(service, utxos, 3)).flat()).toHaveLength(6);
  });

  test('of confirmed rows expire when their block is replaced', async () => {
    takeOwner();
    const txs = payments(owner, 6);
    const hash = await mine(txs);
    const pages = [history, utxos].map(async (path) => [path, await first(path, 2)] as const);
    const before = await Promise.all(pages);
    await node.rpc('invalidateblock', hash);
    await mine(txs.toReversed());
    for (const [path, page] of before) {
      expect(await followOnce(path, page)).toEqual({ status: 409, code: 'cursor_expired' });
    }
    const anew = (await listPages(service, history, 2)).flat();
    expect(txidsOf(anew)).toEqual(txidsOf(txs));
  });

  test('of /blocks and of coinbase payouts expire when the block that they end with is replaced', async () => {
    takeOwner();
    const payouts = `/api/v1/mining/address/${addressOfOwner(owner)}`;
    const hashes = await node.mine(6, addressOfOwner(owner));
    await service.waitForTip(hashes[5]);
    const upper = [await first('/api/v1/blocks', 2), await first(payouts, 2)] as const;
    const lower = [await first('/api/v1/blocks', 4), await first(payouts, 4)] as const;
    await node.rpc('invalidateblock', hashes[4]);
    await service.waitForTip((await node.mine(3)).at(-1));
    expect(await followOnce('/api/v1/blocks', upper[0])).toEqual({ status: 409, code: 'cursor_expired' });
    expect(await followOnce(payouts, upper[1])).toEqual({ status: 409, code: 'cursor_expired' });
    const blocks = await getJson(service, `/api/v1/blocks?limit=2&cursor=${lower[0].next_cursor}`);
    expect(blocks.items.map((each: { hash: string }) => each.hash)).toEqual([hashes[1], hashes[0]]);
    const rest = await getJson(service, `${payouts}?cursor=${lower[1].next_cursor}`);
    expect(rest.items.map((each: { block_hash: string }) => each.block_hash)).toEqual([hashes[1], hashes[0]]);
  });

  test('of /blocks and of the transactions of a block go on where they were while blocks come', async () => {
    takeOwner();
    const txs = payments(owner, 5);
    const hash = await mine(txs);
    const height = await node.rpc<number>('getblockcount');
    const blocks: Page = await first('/api/v1/blocks', 10);
    const block = await getJson(service, `/api/v1/block/${hash}?limit=2`);
    await mineMempool();
    const next = await getJson(service, `/api/v1/blocks?limit=10&cursor=${blocks.next_cursor}`);
    expect([...blocks.items, ...next.items].map((each) => each.height)).toEqual(
      Array.from({ length: 20 }, (_, i) => height - i),
    );
    const rest = await getJson(
      service,
      `/api/v1/block/${hash}?limit=10&cursor=${block.transactions.next_cursor}`,
    );
    const { tx } = await node.rpc<{ tx: string[] }>('getblock', hash);
    expect(txidsOf([...block.transactions.items, ...rest.transactions.items])).toEqual(tx);
  });
});
