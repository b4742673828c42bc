import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNode, startPair, type TestNode } from './litecoind.ts';
import { makeTraffic } from './traffic.ts';

type Output = { value: number; scriptPubKey: { type: string; hex: string } };
type Transaction = { txid: string; vin: Array<{ txid?: string; coinbase?: string }>; vout: Output[] };
type Block = { hash: string; tx: Transaction[] };

describe('a test node', () => {
  test('keeps its chain and its address over a clean restart, and its files until it is stopped', async () => {
    const node = await startNode();
    const [hash] = await node.mine(1);
    await node.restart();
    expect(await node.rpc('getbestblockhash')).toBe(hash);
    expect(await node.rpc('listwallets')).toHaveLength(1);
    await node.kill();
    await expect(node.rpc('getblockcount')).rejects.toMatchObject({ kind: 'unreachable' });
    await node.start();
    expect(await node.mine(1)).toHaveLength(1);
    await node.stop();
    expect(existsSync(node.dataDir)).toBe(false);
  });
});

describe('a pair of nodes', () => {
  test('makes a real reorg: the longer branch wins on both', async () => {
    const pair = await startPair();
    await pair.a.mine(2);
    await pair.join();
    await pair.part();
    const [, lost] = await pair.a.mine(2);
    const [, , won] = await pair.b.mine(3);
    expect(await pair.a.rpc('getbestblockhash')).toBe(lost);
    await pair.join();
    expect(await pair.a.rpc('getbestblockhash')).toBe(won);
    await pair.stop();
  });
});

describe('traffic', () => {
  let node: TestNode;
  let blocks: Block[];
  let sent: number;

  beforeAll(async () => {
    node = await startNode();
    const traffic = await makeTraffic(node, { seed: 11, blocks: 12, txPerBlock: 25 });
    sent = traffic.transactions;
    blocks = await Promise.all(traffic.blockHashes.map((hash) => node.rpc<Block>('getblock', hash, 2)));
  });
  afterAll(() => node.stop());

  const transactions = () => blocks.flatMap(({ tx }) => tx);
  const outputs = () => transactions().flatMap(({ vout }) => vout);

  test('is mined whole', async () => {
    expect(await node.rpc('getrawmempool')).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(12 * 25);
    expect(transactions()).toHaveLength(sent + blocks.length);
  });

  test('pays scripts of every kind', () => {
    const kinds = new Set(outputs().map(({ scriptPubKey }) => scriptPubKey.type));
    const expected = ['pubkeyhash', 'scripthash', 'pubkey', 'multisig', 'nulldata', 'nonstandard'];
    const witness = ['witness_v0_keyhash', 'witness_v0_scripthash', 'witness_v1_taproot'];
    for (const kind of [...expected, ...witness]) expect(kinds).toContain(kind);
  });

  test('has what is hard to index: spends within a block, many inputs, zero values, proofs', () => {
    const withinBlock = blocks.filter(({ tx }) => {
      const txids = new Set(tx.map(({ txid }) => txid));
      return tx.some(({ vin }) => vin.some(({ txid }) => txid !== undefined && txids.has(txid)));
    });
    expect(withinBlock.length).toBeGreaterThan(3);
    expect(Math.max(...transactions().map(({ vin }) => vin.length))).toBeGreaterThanOrEqual(3);
    expect(outputs().some(({ value, scriptPubKey }) => value === 0 && scriptPubKey.type !== 'nulldata')).toBe(
      true,
    );
    expect(outputs().some(({ scriptPubKey }) => /^6a2456504631/.test(scriptPubKey.hex))).toBe(true);
  });

  test('pays miners at several addresses', () => {
    const scripts = blocks.map(({ tx }) => tx[0]!.vout[0]!.scriptPubKey.hex);
    expect(new Set(scripts).size).toBeGreaterThan(3);
  });
});
