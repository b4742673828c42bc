import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForHealth } from '../harness/health.ts';
import { type TestNode, waitUntil } from '../harness/litecoind.ts';
import { type PrunableNode, startPrunableNode } from '../harness/prunable-chain.ts';
import { send, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';

/** A node that really deletes its blocks, beside a service that had indexed them and one that had not. */

let prunable: PrunableNode;
let pruneHeight: number;
let dirs: string[];
/** Had followed the chain to its tip when the node pruned. */
let early: TestService;
/** Had followed a part of what was deleted. */
let late: TestService;
/** The block up to which the late one had come. */
let lateTip: { hash: string; height: number };
/** What the early service answered about deleted blocks while the node still had them. */
let before: unknown[];

beforeAll(async () => {
  dirs = await Promise.all(['a', 'b', 'c'].map(() => mkdtemp(join(tmpdir(), 'coinfront-pruned-'))));
  prunable = await startPrunableNode(async (node) => {
    late = await startOn(node, dirs[1]!, 'tip');
    await late.stop();
    lateTip = { hash: await node.rpc('getbestblockhash'), height: await node.rpc('getblockcount') };
  });
  early = await startOn(prunable.node, dirs[0]!, 'tip');
  before = await readDeletedPart();
  pruneHeight = await prunable.prune();
}, 240_000);
afterAll(async () => {
  await Promise.all([early?.kill(), late?.kill()]);
  await prunable?.stop();
  await Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true })));
});

function startOn(node: TestNode, dataDir: string, waitFor: 'tip' | 'answer'): Promise<TestService> {
  return startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir }, waitFor });
}

/** All that is answered from the bytes of blocks that pruning deletes. */
async function readDeletedPart(): Promise<unknown[]> {
  const { txid } = prunable.deepTx;
  const hash = await prunable.node.rpc<string>('getblockhash', 104);
  const paths = [
    '/api/v1/block/5',
    `/api/v1/block/${hash}`,
    `/api/v1/tx/${txid}/raw`,
    `/api/v1/tx/${txid}/proof`,
    `/esplora/block/${hash}/header`,
    `/esplora/block/${hash}/raw`,
    `/esplora/block/${hash}/txids`,
    `/esplora/tx/${txid}/hex`,
    `/esplora/tx/${txid}/merkle-proof`,
    `/esplora/tx/${txid}/merkleblock-proof`,
    `/esplora/tx/${txid}/outspend/0`,
  ];
  return Promise.all(
    paths.map(async (path) => {
      const { status, text } = await early.get(path);
      return [path, status, text.replace(/"confirmations":\d+/, '')];
    }),
  );
}

async function readMetric(service: TestService, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
  return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1];
}

/** The whole of what an operator is told about blocks that are gone. */
async function expectComplaint(service: TestService, nextHeight: number): Promise<void> {
  await waitForHealth(service, 'node_pruned');
  // The indexer may know before the service has looked at the node itself.
  await waitUntil(
    'the service has looked at the node',
    async () => (await service.get('/api/v1/health')).json.node.available,
  );
  const health = await waitForHealth(service, 'node_pruned');
  expect(health).toMatchObject({ ready: false, node: { available: true, error: null } });
  expect(health.problem).toContain(
    `deleted its blocks below ${pruneHeight}, and block ${nextHeight} is needed next`,
  );
  expect(health.problem).toMatch(/COINFRONT_NODE_URL .* -reindex/);
  expect((await service.get('/api/v1/health?require=ready')).status).toBe(503);
  expect(service.printed()).toContain(health.problem);
  expect(await readMetric(service, 'coinfront_ready')).toBe('0');
  expect(await readMetric(service, 'coinfront_node_up')).toBe('1');
  expect(await readMetric(service, 'coinfront_node_prune_height')).toBe(String(pruneHeight));
}

test('the node has deleted the blocks', async () => {
  expect(pruneHeight).toBeGreaterThan(104);
  const hash = await prunable.node.rpc<string>('getblockhash', 104);
  await expect(prunable.node.rpc('getblock', hash, 0)).rejects.toThrow(/pruned/);
});

test('a service that starts beside it with nothing says what is wrong and what to do', async () => {
  const fresh = await startOn(prunable.node, dirs[2]!, 'answer');
  try {
    await expectComplaint(fresh, 0);
    expect((await fresh.get('/api/v1/config')).status).toBe(200);
    expect((await fresh.get('/api/v1/blocks')).json).toMatchObject({ status: 503, code: 'not_ready' });
  } finally {
    await fresh.kill();
  }
});

test('one that lacks deleted blocks says so, and serves what it has', async () => {
  await late.start();
  await expectComplaint(late, lateTip.height + 1);
  const { status, headers } = await late.get('/api/v1/blocks');
  expect([status, headers.get('x-chain-tip')]).toEqual([200, lateTip.hash]);
  expect((await late.get('/api/v1/status')).json).toMatchObject({
    index: {
      tip: lateTip.hash,
      lag_blocks: (await prunable.node.rpc<number>('getblockcount')) - lateTip.height,
    },
    node: { available: true, pruned: true },
  });
});

test('a service that had indexed them answers as before, byte for byte', async () => {
  expect((await waitForHealth(early, 'ready')).problem).toBeNull();
  expect(await readDeletedPart()).toEqual(before);
  expect(before.map((answer) => (answer as unknown[])[1])).toEqual(before.map(() => 200));
  expect(await readMetric(early, 'coinfront_ready')).toBe('1');
});

test('it follows blocks and a reorganisation, takes transactions, and starts anew', async () => {
  const { node, coin } = prunable;
  const [first] = await node.mine(3);
  await early.waitForTip();
  await node.rpc('invalidateblock', first);
  await node.mine(4);
  await early.waitForTip();
  await send(node, spend([coin], [{ value: coin.value - 10_000n, owner: 9 }]));
  await early.waitForMempool();
  expect(await early.stop()).toBe(0);
  await node.mine(1);
  await early.start();
  await early.waitForTip();
  await waitForHealth(early, 'ready');
  expect(await readDeletedPart()).toEqual(before);
});

test('the node has its blocks again: both go on by themselves', async () => {
  await waitForHealth(late, 'node_pruned');
  await prunable.putBack();
  const [tip] = (await prunable.node.mine(2)).slice(-1);
  await Promise.all([early, late].map((service) => service.waitForTip(tip)));
  const healths = await Promise.all([early, late].map((service) => waitForHealth(service, 'ready')));
  expect(healths.map(({ problem }) => problem)).toEqual([null, null]);
  await waitUntil('the metrics say so', async () => (await readMetric(late, 'coinfront_ready')) === '1');
  const [ofEarly, ofLate] = await Promise.all(
    [early, late].map((service) => service.get(`/esplora/tx/${prunable.deepTx.txid}`)),
  );
  expect(ofLate!.json).toEqual(ofEarly!.json);
});
