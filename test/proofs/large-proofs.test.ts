import { randomBytes } from 'node:crypto';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { serializeTransaction } from '@coinfront/protocol/transaction.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { type OpenNode, prepareOpenNode } from '../harness/open-node.ts';
import { type OpenCoin, type OpenTransaction, spendCoins } from '../harness/open-transactions.ts';
import { startService, type TestService } from '../harness/service.ts';

const MARKER = '56504631';
/** The largest transaction that a proof carries, bytes without witness. */
const MAX_TX_BYTES = 100_000;

let node: TestNode;
let chain: OpenNode;
beforeAll(async () => {
  node = await startNode();
  chain = await prepareOpenNode(node);
});
afterAll(() => node?.stop());

const anchorOf = (digest: string) => ({ value: 0n, script: getHexBytes(`6a24${MARKER}${digest}`) });

/** An anchor in a transaction of exactly so many bytes. */
function makeLarge(coin: OpenCoin, digest: string, bytes: number): OpenTransaction {
  const fill = (length: number) =>
    spendCoins(
      [coin],
      [anchorOf(digest), { value: 0n, script: Uint8Array.of(0x6a, ...new Uint8Array(length)) }],
    );
  // Above 65,535, where the length of a script has its form for large ones.
  const start = 80_000;
  return fill(start + bytes - serializeTransaction(fill(start).tx, { witness: false }).length);
}

forEachEngine('proofs of large things', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  const lookUp = async (digest: string, query = '') => {
    const answer = await service.get(`/api/v1/proof/lookup/${digest}${query}`);
    expect(answer.status, answer.text.slice(0, 200)).toBe(200);
    return answer;
  };

  test('a transaction of 100,000 bytes is in its proof, one of 100,001 is read by its txid', async () => {
    const [inside, outside] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    const coins = await chain.makeCoins(2);
    const txs = [makeLarge(coins[0]!, inside, MAX_TX_BYTES), makeLarge(coins[1]!, outside, MAX_TX_BYTES + 1)];
    await service.waitForTip(await chain.mineBlock(txs));
    const { json: carried } = await lookUp(inside);
    expect(carried.primary.tx).toHaveLength(2 * MAX_TX_BYTES);
    expect(carried.primary.tx).toBe(txs[0]!.hex);
    const { json: named } = await lookUp(outside);
    expect(named).toMatchObject({ state: 'confirmed', primary: { tx: null, branch: expect.any(Array) } });
    const raw = await service.get(`/api/v1/tx/${named.primary.txid}/raw`);
    expect(raw.text).toContain(txs[1]!.hex);
  });

  test('a digest that one block has 10,000 times is answered in bounded pages that miss none', async () => {
    const digest = randomBytes(32).toString('hex');
    const coins = await chain.makeCoins(7);
    // One transaction with thousands of outputs, and some with few.
    const counts = [3, 9_000, 1, 400, 1, 594, 1];
    const txs = coins.map((coin, i) =>
      spendCoins(
        [coin],
        Array.from({ length: counts[i]! }, () => anchorOf(digest)),
      ),
    );
    await service.waitForTip(await chain.mineBlock(txs));
    const first = await lookUp(digest);
    expect(first.json).toMatchObject({ anchors: 10_000, primary: { position: 1, vout: 0 } });
    expect(first.json.further).toHaveLength(25);
    const seen = new Set<string>();
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const { json, text } = await lookUp(digest, `?limit=100${cursor && `&cursor=${cursor}`}`);
      expect(json.further.length).toBeLessThanOrEqual(100);
      expect(text.length).toBeLessThan(2 * 9_000 * 47 + 100_000);
      for (const { position, vout } of json.further) seen.add(`${position} ${vout}`);
      cursor = json.next_cursor;
    }
    expect(pages).toBe(100);
    const all = counts.flatMap((count, i) => Array.from({ length: count }, (_, vout) => `${i + 1} ${vout}`));
    expect([...seen, '1 0'].sort()).toEqual(all.sort());
    expect(seen.has('1 0')).toBe(false);

    const before = await lookUp(digest, '?limit=100');
    const wrong = await service.get(
      `/api/v1/proof/lookup/${randomBytes(32).toString('hex')}?cursor=${before.json.next_cursor}`,
    );
    // A digest without anchors has no list, and a cursor of another list is none of this one.
    expect([200, 400]).toContain(wrong.status);
    const recent = await service.get('/api/v1/proof/recent?limit=100');
    expect(recent.json.items).toHaveLength(100);
  });
});
