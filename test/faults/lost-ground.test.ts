import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { startProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

/** The index and the node have too little in common to go on, until the node has it again. */

const HORIZON = 3;

let node: TestNode;
let proxy: TcpProxy;
let service: TestService;
let dataDir: string;

beforeAll(async () => {
  node = await startNode();
  await node.mine(20);
  await node.flush();
  proxy = await startProxy(node.url);
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-ground-'));
  service = await startService({
    nodeUrl: proxy.through(node.url),
    database: { kind: 'sqlite', dataDir },
    settings: { COINFRONT_REORG_HORIZON: String(HORIZON) },
  });
});
afterAll(async () => {
  await service.kill();
  await proxy.stop();
  await node.stop();
  await rm(dataDir, { recursive: true });
});

async function expectServed(tip: string): Promise<void> {
  const { status, headers } = await service.get('/api/v1/blocks');
  expect([status, headers.get('x-chain-tip')]).toEqual([200, tip]);
  expect((await service.get('/api/v1/health?require=ready')).status).toBe(503);
}

test('a node that lost more blocks than the horizon is behind, and no reorg', async () => {
  const hashes = await node.mine(HORIZON + 2);
  const blocks = await Promise.all(hashes.map((hash) => node.rpc<string>('getblock', hash, 0)));
  await service.waitForTip(hashes.at(-1));
  await node.kill();
  await node.start();
  await waitForHealth(service, 'node_behind');
  await expectServed(hashes.at(-1)!);
  for (const block of blocks) await node.rpc('submitblock', block);
  await waitForHealth(service, 'ready');
});

test('a reorg deeper than the horizon is not followed; the node back on the old branch is', async () => {
  const tip = await node.rpc<string>('getbestblockhash');
  const height = await node.rpc<number>('getblockcount');
  const parted = await node.rpc<string>('getblockhash', height - HORIZON);
  await node.rpc('invalidateblock', parted);
  await waitForHealth(service, 'reorg_too_deep');
  await expectServed(tip);
  const [first] = await node.mine(HORIZON + 2);
  await waitForHealth(service, 'reorg_too_deep');
  await expectServed(tip);

  await node.rpc('invalidateblock', first);
  await node.rpc('reconsiderblock', parted);
  await waitForHealth(service, 'ready');
  expect(await service.findTip()).toBe(tip);
  const [next] = await node.mine(1);
  await service.waitForTip(next);
});
