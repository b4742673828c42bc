import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { parseTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../../service/src/indexer/encoding/hashes.ts';
import { createBlockSource } from '../../../service/src/node/block-source.ts';
import { checkNode } from '../../../service/src/node/node-facts.ts';
import { createNodeClient, type NodeClient } from '../../../service/src/node/rpc-client.ts';
import { writeSpentAnswers } from '../../../test/harness/spent-answers.ts';
import { type BlockLog, openBlockLog } from '../chain/block-log.ts';
import { ensureLongChain, SPENT_FOLDER } from '../chain/ensure-chain.ts';
import { makeBranch } from '../chain/make-branch.ts';
import { type ChainNode, startChainNode } from './start-node.ts';

const PLAN = { mix: 'dogecoin', seed: 2, transactions: 1_000, spentOutputs: true } as const;
const TIP = 40;
const FORK = 35;

let dir: string;
let main: BlockLog;
let branch: BlockLog;
let node: ChainNode;
let client: NodeClient;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'long-node-'));
  const chain = ensureLongChain(PLAN, dir, () => {});
  main = chain.log;
  makeBranch(main, FORK + 1, TIP, join(dir, 'branch'));
  branch = openBlockLog(join(dir, 'branch'), FORK + 1);
  node = await startChainNode({
    dir: chain.dir,
    ...PLAN,
    tip: TIP,
    branch: { dir: join(dir, 'branch'), firstHeight: FORK + 1 },
  });
  client = createNodeClient({ url: node.url });
});
afterAll(async () => {
  await client.close();
  await node.stop();
  main.close();
  branch.close();
  rmSync(dir, { recursive: true, force: true });
});

test("the service's client takes it for a node of its chain and fetches blocks, hashes and headers", async () => {
  const { genesisHash } = getShippedProfile('regtest');
  const check = await checkNode(client, { name: 'regtest', genesisHash });
  expect(check).toMatchObject({ ok: true, facts: { blocks: TIP, headers: TIP, pruned: false } });

  const source = createBlockSource(client);
  expect(await source.transport()).toBe('rest');
  const hashes = await source.fetchHashes(0, TIP);
  expect(hashes).toEqual(Array.from({ length: TIP + 1 }, (_, height) => toDisplayHash(main.hashAt(height))));
  for (const height of [0, 1, TIP]) {
    expect(Buffer.from(await source.fetchBlock(hashes[height]!))).toEqual(main.read(height));
  }
  const headers = await source.findHeaders(hashes[38]!, 10);
  expect(Buffer.from(headers!)).toEqual(Buffer.concat([38, 39, 40].map((height) => main.read(height, 80))));
});

test('what is above its tip, and what no chain has, is refused as a node does', async () => {
  const source = createBlockSource(client);
  await expect(source.fetchHashes(TIP + 1, TIP + 1)).rejects.toMatchObject({ kind: 'rpc', rpcCode: -8 });
  await expect(source.fetchBlock('ab'.repeat(32))).rejects.toMatchObject({ kind: 'rpc', rpcCode: -5 });
  await expect(client.call('nosuchcall')).rejects.toMatchObject({ kind: 'rpc', rpcCode: -32_601 });
});

test('a long poll returns when the tip moves, and a branch takes the place of blocks', async () => {
  // Should the poll come too late it is told at its end, which is sooner than the client gives up.
  const held = client.call<{ hash: string; height: number }>('waitfornewblock', [10_000], { longPoll: true });
  const hash = toDisplayHash(branch.hashAt(TIP + 1));
  await client.call('getbestblockhash');
  await node.show({ height: TIP + 1, onBranch: true });
  expect(await held).toEqual({ hash, height: TIP + 1 });
  expect(await client.call('getbestblockhash')).toBe(hash);
  const [shared, replaced] = await createBlockSource(client).fetchHashes(FORK, FORK + 1);
  expect(shared).toBe(toDisplayHash(main.hashAt(FORK)));
  expect(replaced).toBe(toDisplayHash(branch.hashAt(FORK + 1)));
  await node.show({ height: TIP });
  expect(await client.call('getbestblockhash')).toBe(toDisplayHash(main.hashAt(TIP)));
});

test('the mempool has what the blocks above the tip will mine, and goes on with the tip', async () => {
  for (const tip of [TIP - 3, TIP - 2, TIP - 1]) {
    const count = await node.show({ height: tip, waitingBlocks: 2 });
    const txids = await client.call<string[]>('getrawmempool');
    expect(txids).toHaveLength(count);
    expect(await client.call('getmempoolinfo')).toMatchObject({ size: count });
    const possible = [tip + 1, tip + 2].flatMap((height) =>
      height > main.lastHeight ? [] : listTxids(height),
    );
    expect(possible).toEqual(expect.arrayContaining(txids));
    expect(count).toBeGreaterThan(possible.length / 2);
    const raw = getHexBytes(await client.call<string>('getrawtransaction', [txids.at(-1)!]));
    expect(toDisplayHash(txidOf(getValue(parseTransaction(raw))))).toBe(txids.at(-1));
  }
  expect(await node.show({ height: TIP })).toBe(0);
  expect(await client.call('getrawmempool')).toEqual([]);
});

/** But for the coinbase. */
function listTxids(height: number): string[] {
  const { txCount, txid } = getValue(scanBlock(main.read(height), { auxpow: false, sha256 }));
  return Array.from({ length: txCount - 1 }, (_, i) =>
    toDisplayHash(txid.subarray(i * 32 + 32, i * 32 + 64)),
  );
}

test('what blocks spend is served when asked for, as it is in the blocks before', async () => {
  const source = createBlockSource(client);
  const blocks = Array.from({ length: TIP + 1 }, (_, height) => ({
    height,
    hash: Uint8Array.from(main.hashAt(height)),
    scan: getValue(scanBlock(main.read(height), { auxpow: false, sha256 })),
  }));
  const answers = [];
  for (const { hash } of blocks) answers.push(await source.findSpentOutputs(toDisplayHash(hash)));
  expect(answers.map((bytes) => Buffer.from(bytes!))).toEqual(
    writeSpentAnswers(blocks).map((bytes) => Buffer.from(bytes)),
  );
  expect(blocks.at(-1)!.scan.txCount).toBeGreaterThan(10);
  expect(await source.findSpentOutputs(toDisplayHash(branch.hashAt(FORK + 1)))).toBeUndefined();
});

test('blocks that are not kept, and what they spend, are made again in whatever order they are asked for', async () => {
  const plan = { mix: 'empty', seed: 3, transactions: 8_000, spentOutputs: true } as const;
  const whole = ensureLongChain(plan, dir, () => {});
  const sparse = ensureLongChain({ ...plan, sparse: true }, dir, () => {});
  const wholeSpent = openBlockLog(join(whole.dir, SPENT_FOLDER), 0);
  const heights = Array.from({ length: sparse.height + 1 }, (_, height) => height);
  const lost = heights.filter((height) => !sparse.log.has(height));
  expect(lost.length).toBeGreaterThan(1_000);
  const other = await startChainNode({ dir: sparse.dir, ...plan, tip: sparse.height });
  const otherClient = createNodeClient({ url: other.url });
  try {
    const source = createBlockSource(otherClient);
    const asked = [...lost.slice(0, 40).reverse(), ...lost.slice(-20), 0, 10, ...lost.slice(0, 3)];
    for (const height of asked) {
      const block = await source.fetchBlock(toDisplayHash(sparse.log.hashAt(height)));
      expect(Buffer.from(block)).toEqual(whole.log.read(height));
      const spent = await source.findSpentOutputs(toDisplayHash(sparse.log.hashAt(height)));
      expect(Buffer.from(spent!)).toEqual(wholeSpent.read(height));
    }
  } finally {
    await otherClient.close();
    await other.stop();
    whole.log.close();
    wholeSpent.close();
    sparse.log.close();
  }
});
