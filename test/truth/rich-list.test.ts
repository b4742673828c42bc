import { createHash } from 'node:crypto';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { makeTraffic } from '../harness/traffic.ts';
import { getJson, listPages } from './read-api.ts';

// The richest addresses, against balances that are summed from the node's blocks alone.

const DECIMALS = 8;
let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await makeTraffic(node, { seed: 24, blocks: 12, txPerBlock: 25 });
});
afterAll(() => node.stop());

type Output = { value: string; n: string; scriptPubKey: { hex: string; type: string } };
type Block = {
  hash: string;
  tx: { txid: string; vin: { txid?: string; vout?: string }[]; vout: Output[] }[];
};

const base = (text: string): bigint => getValue(parseAmount(text, DECIMALS));

/** Core's rule: what it leaves out of its set of unspent outputs. */
const isUnspendable = (hex: string): boolean => hex.startsWith('6a') || hex.length / 2 > 10_000;

/** Balances and numbers of unspent outputs by the SHA-256 of the script, after the block at a height. */
async function sumNode(height: number): Promise<Map<string, { balance: bigint; coins: number }>> {
  const unspent = new Map<string, { script: string; value: bigint }>();
  // Outputs of the first block are in no UTXO set.
  for (let at = 1; at <= height; at += 1) {
    const block = await node.rpc<Block>('getblock', await node.rpc('getblockhash', at), 2);
    for (const { txid, vin, vout } of block.tx) {
      for (const input of vin) unspent.delete(`${input.txid}:${input.vout}`);
      for (const { value, n, scriptPubKey } of vout) {
        if (!isUnspendable(scriptPubKey.hex))
          unspent.set(`${txid}:${n}`, {
            script: scriptPubKey.hex,
            value: base(Number(value).toFixed(DECIMALS)),
          });
      }
    }
  }
  const sums = new Map<string, { balance: bigint; coins: number }>();
  for (const { script, value } of unspent.values()) {
    const hash = createHash('sha256').update(Buffer.from(script, 'hex')).digest('hex');
    const sum = sums.get(hash) ?? { balance: 0n, coins: 0 };
    sums.set(hash, { balance: sum.balance + value, coins: sum.coins + 1 });
  }
  for (const [hash, { balance }] of sums) if (balance === 0n) sums.delete(hash);
  return sums;
}

forEachEngine('the richest addresses', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: { COINFRONT_RICH_LIST: '3' },
    });
    await service.waitForTip();
    await waitUntil('there is a list', async () => (await service.get('/api/v1/rich')).status === 200);
  });
  afterAll(() => service.stop());

  /** Waits for a list of the present tip. */
  async function follow(): Promise<void> {
    const tip = await node.rpc<string>('getbestblockhash');
    await waitUntil(
      'the list is of the tip',
      async () => (await service.get('/api/v1/rich')).json.as_of?.hash === tip,
    );
  }

  test('balances, places and sums are those of the node, as of the block that is named', async () => {
    const { as_of, stale } = await getJson(service, '/api/v1/rich');
    expect(stale).toBe(false);
    expect(await node.rpc('getblockhash', as_of.height)).toBe(as_of.hash);
    const expected = await sumNode(as_of.height);
    expect(expected.size).toBeGreaterThan(100);
    const { total_amount } = await node.rpc<{ total_amount: string }>('gettxoutsetinfo');
    expect(await node.rpc('getbestblockhash')).toBe(as_of.hash);
    const sum = [...expected.values()].reduce((all, { balance }) => all + balance, 0n);
    expect(base(Number(total_amount).toFixed(DECIMALS))).toBe(sum);
    const sorted = [...expected].sort(([a, x], [b, y]) =>
      x.balance === y.balance ? (a < b ? -1 : 1) : x.balance > y.balance ? -1 : 1,
    );
    const items = (await listPages(service, '/api/v1/rich', 40)).flat();
    expect(items).toHaveLength(Math.min(1_000, sorted.length));
    expect(
      items.map(({ script_hash, balance, utxo_count }) => [script_hash, base(balance), utxo_count]),
    ).toEqual(sorted.slice(0, 1_000).map(([hash, { balance, coins }]) => [hash, balance, coins]));
    expect(items.map(({ rank }) => rank)).toEqual(items.map((_, i) => i + 1));
    for (const { address, balance } of items.slice(0, 10)) {
      if (address === null) continue;
      expect((await getJson(service, `/api/v1/address/${address}`)).confirmed.balance).toBe(balance);
    }

    const distribution = await getJson(service, '/api/v1/rich/distribution');
    expect(distribution.as_of).toEqual(as_of);
    const whole = [...expected.values()].reduce((sum, { balance }) => sum + balance, 0n);
    expect([distribution.addresses, base(distribution.balance)]).toEqual([expected.size, whole]);
    for (const { from, below, addresses, balance } of distribution.bands) {
      const within = [...expected.values()].filter(
        (each) => each.balance >= base(from) && each.balance < base(below),
      );
      expect([from, addresses, base(balance)]).toEqual([
        from,
        within.length,
        within.reduce((sum, each) => sum + each.balance, 0n),
      ]);
    }
    const counted = distribution.bands.reduce(
      (sum: number, band: { addresses: number }) => sum + band.addresses,
      0,
    );
    expect(counted).toBe(expected.size);
    for (const { size, balance, share_ppm } of distribution.largest) {
      const sum = sorted.slice(0, size).reduce((all, [, each]) => all + each.balance, 0n);
      expect([base(balance), share_ppm]).toEqual([sum, Number((sum * 1_000_000n) / whole)]);
    }
  });

  test('a list is made anew after so many blocks, and cursors of the one before expire', async () => {
    const before = await getJson(service, '/api/v1/rich?limit=1');
    await node.mine(3);
    await service.waitForTip();
    await follow();
    const after = await getJson(service, '/api/v1/rich?limit=1');
    expect(after.as_of.height).toBeGreaterThanOrEqual(before.as_of.height + 3);
    const answer = await service.get(`/api/v1/rich?limit=1&cursor=${before.next_cursor}`);
    expect(answer.json.code).toBe('cursor_expired');
    const expected = await sumNode(after.as_of.height);
    const { addresses } = await getJson(service, '/api/v1/rich/distribution');
    expect(addresses).toBe(expected.size);
  });

  test('a list is there after a restart, and one whose block was replaced is made anew', async () => {
    const before = await getJson(service, '/api/v1/rich');
    await service.stop();
    await service.start();
    await service.waitForTip();
    expect((await getJson(service, '/api/v1/rich')).made_at).toBe(before.made_at);
    await node.rpc('invalidateblock', before.as_of.hash);
    const hashes = await node.mine(2);
    await service.waitForTip(hashes.at(-1));
    await follow();
    const { as_of, stale } = await getJson(service, '/api/v1/rich');
    expect([as_of.hash, stale]).toEqual([hashes.at(-1), false]);
    const { addresses, balance } = await getJson(service, '/api/v1/rich/distribution');
    const expected = await sumNode(as_of.height);
    expect(addresses).toBe(expected.size);
    expect(base(balance)).toBe([...expected.values()].reduce((sum, each) => sum + each.balance, 0n));
  });
});

forEachEngine('a service whose operator has not switched the list on', (engine) => {
  test('says so, and has no page of it', async () => {
    const service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    await service.waitForTip();
    for (const path of ['/api/v1/rich', '/api/v1/rich/distribution'])
      expect((await service.get(path)).json.code).toBe('rich_list_off');
    await service.stop();
  });
});
