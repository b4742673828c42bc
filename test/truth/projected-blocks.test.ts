import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { openPurse, send, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { getJson } from './read-api.ts';

const VALUE = 60_000_000n;
/** Large ones are just within what nodes relay. */
const LARGE = { txs: 12, outputs: 2_250 };
const SMALL_TXS = 30;
const BLOCK_VSIZE = 1_000_000;

type Waiting = { txid: string; vsize: number; fee: number };

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  const nextCoin = await openPurse(node, { count: LARGE.txs + SMALL_TXS, value: VALUE, owner: 1 });
  for (let i = 0; i < LARGE.txs; i++) await sendPaying(LARGE.outputs, BigInt(300_000 + 70_001 * i));
  for (let i = 0; i < SMALL_TXS; i++) await sendPaying(1 + (i % 3), BigInt(150 + 47 * i * i));

  async function sendPaying(outputs: number, fee: bigint): Promise<void> {
    const each = (VALUE - fee) / BigInt(outputs);
    const made = Array.from({ length: outputs }, (_, i) => ({
      value: i === 0 ? VALUE - fee - each * BigInt(outputs - 1) : each,
      owner: 2,
    }));
    await send(node, spend([nextCoin()], made));
  }
});
afterAll(() => node.stop());

/** What waits according to the node, highest fee rate first; no two have the same. */
async function listWaiting(): Promise<Waiting[]> {
  const entries = await node.rpc<Record<string, { vsize: number; fees: { base: number } }>>(
    'getrawmempool',
    true,
  );
  return Object.entries(entries)
    .map(([txid, { vsize, fees }]) => ({ txid, vsize, fee: Math.round(fees.base * 1e8) }))
    .sort((a, b) => b.fee / b.vsize - a.fee / a.vsize);
}

/** The blocks that they would fill. */
function cut(waiting: readonly Waiting[]): Waiting[][] {
  const blocks: Waiting[][] = [];
  let above = 0;
  for (const tx of waiting) {
    const at = Math.floor(above / BLOCK_VSIZE);
    blocks[at] ??= [];
    blocks[at].push(tx);
    above += tx.vsize;
  }
  return blocks;
}

forEachEngine('projected blocks', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    await service.waitForMempool();
  });
  afterAll(() => service.stop());

  const read = (number: number | string) => getJson(service, `/api/v1/mempool/blocks/${number}`);

  test("have the node's transactions, highest fee rate first, each in one block", async () => {
    const blocks = cut(await listWaiting());
    expect(blocks.length).toBe(2);
    for (const [i, txs] of blocks.entries()) {
      const sum = (of: (tx: Waiting) => number) => txs.reduce((all, tx) => all + of(tx), 0);
      expect(await read(i + 1)).toEqual({
        number: i + 1,
        block_count: blocks.length,
        tx_count: txs.length,
        vsize: sum(({ vsize }) => vsize),
        fees: (sum(({ fee }) => fee) / 1e8).toFixed(8),
        transactions: txs.map(({ txid, vsize, fee }) => ({
          txid,
          vsize,
          fee: (fee / 1e8).toFixed(8),
          per_vb: (Math.floor((fee * 1_000) / vsize) / 1_000).toFixed(3),
        })),
      });
    }
  });

  test('agree with what the fee report says of the mempool', async () => {
    const { mempool } = await getJson(service, '/api/v1/fee');
    const blocks = [await read(1), await read(2)];
    expect(blocks.reduce((sum, { vsize }) => sum + vsize, 0)).toBe(mempool.vsize);
    expect(blocks.reduce((sum, { tx_count: count }) => sum + count, 0)).toBe(mempool.tx_count);
  });

  test('beyond the last there is nothing, and others than the next eight are refused', async () => {
    for (const number of [3, 8])
      expect(await read(number)).toMatchObject({ block_count: 2, tx_count: 0, transactions: [] });
    for (const number of ['0', '9', '-1', '1.5', 'x'])
      expect((await service.get(`/api/v1/mempool/blocks/${number}`)).status).toBe(400);
  });

  test('are named by tip and mempool, and an answer that the client has is not sent again', async () => {
    const { headers } = await service.get('/api/v1/mempool/blocks/1');
    const etag = headers.get('etag')!;
    expect((await service.get('/api/v1/mempool/blocks/1', { 'if-none-match': etag })).status).toBe(304);
  });
});
