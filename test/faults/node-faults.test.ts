import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import type { FakeNode } from '../harness/fake-node.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startOtherChain } from '../harness/other-chain.ts';
import { startService, type TestService } from '../harness/service.ts';
import { startProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

/** What must be answered whatever the node does, from the last snapshot. */
const READS = [
  '/api/v1/blocks',
  '/api/v1/block/5',
  '/api/v1/supply',
  '/api/v1/fee',
  '/esplora/blocks/tip/height',
];

forEachEngine('the service beside a node that fails', (engine) => {
  let node: TestNode;
  let other: FakeNode;
  let proxy: TcpProxy;
  let service: TestService;

  beforeAll(async () => {
    [node, other] = await Promise.all([startNode(), startOtherChain()]);
    await node.mine(110);
    await node.flush();
    proxy = await startProxy(node.url);
    const database = await engine.openUrl();
    service = await startService({ nodeUrl: proxy.through(node.url), database });
  });
  afterEach(() => {
    proxy.set({});
    proxy.aim(node.url);
  });
  afterAll(async () => {
    await service.kill();
    await proxy.stop();
    await Promise.all([node.stop(), other.stop()]);
  });

  /** Reads answer with this tip, and nothing of the node is shown as its present state. */
  async function expectLastSnapshot(tip: string): Promise<void> {
    for (const path of READS) {
      const { status, headers } = await service.get(path);
      expect([path, status, headers.get('x-chain-tip')]).toEqual([path, 200, tip]);
    }
    const { json } = await service.get('/api/v1/status');
    expect(json.index).toMatchObject({ tip, lag_blocks: null });
    expect(json.node.available).toBe(false);
    expect((await service.get('/api/v1/health?require=ready')).status).toBe(503);
  }

  /** The node is reachable again: without a hand laid on, the service gets its next block. */
  async function expectRecovery(): Promise<void> {
    await node.mine(1);
    await service.waitForTip(await node.rpc<string>('getbestblockhash'));
    await waitForHealth(service, 'ready');
    expect((await service.get('/api/v1/status')).json.node).toMatchObject({ available: true, error: null });
  }

  test('killed and started again: the last snapshot is served, then the new blocks', async () => {
    const tip = await node.rpc<string>('getbestblockhash');
    await node.kill();
    const health = await waitForHealth(service, 'node_unavailable');
    expect(health).toMatchObject({ ready: false, lag_blocks: null, index: { tip } });
    expect(health.node).toMatchObject({ available: false, error: 'unreachable' });
    await expectLastSnapshot(tip);
    const sent = await service.post('/api/v1/broadcast', { raw_tx: unsignedTx });
    expect([sent.status, sent.json.code]).toEqual([503, 'node_unavailable']);
    await node.start();
    await expectRecovery();
  });

  test('exchanged for one of another chain: said so, nothing of it is taken or sent to it', async () => {
    const tip = await node.rpc<string>('getbestblockhash');
    proxy.aim(other.url);
    const health = await waitForHealth(service, 'other_chain');
    expect(health).toMatchObject({ ready: false, lag_blocks: null, index: { tip } });
    expect(health.node).toMatchObject({ available: false, error: 'other_chain' });
    await expectLastSnapshot(tip);
    const sent = await service.post('/api/v1/broadcast', { raw_tx: unsignedTx });
    expect([sent.status, sent.json.code]).toEqual([503, 'node_unavailable']);
    proxy.aim(node.url);
    await expectRecovery();
  });

  test('started again without its last blocks: they are served until it has them again', async () => {
    await node.flush();
    const hashes = await node.mine(5);
    const blocks = await Promise.all(hashes.map((hash) => node.rpc<string>('getblock', hash, 0)));
    await service.waitForTip(hashes[4]);
    await node.kill();
    await node.start();
    await waitForHealth(service, 'node_behind');
    const { json } = await service.get('/api/v1/status');
    expect(json.index).toMatchObject({ tip: hashes[4], lag_blocks: 0 });
    expect((await service.get(`/api/v1/block/${hashes[4]}`)).json.confirmations).toBe(1);
    for (const block of blocks) await node.rpc('submitblock', block);
    await waitForHealth(service, 'ready');
    await expectRecovery();
  });

  test('told by its operator that blocks are invalid: the index follows down, and up again', async () => {
    const tip = await node.rpc<string>('getbestblockhash');
    const below = await node.rpc<string>('getblockhash', (await node.rpc<number>('getblockcount')) - 3);
    const lowest = await node.rpc<{ nextblockhash: string }>('getblockheader', below);
    await node.rpc('invalidateblock', lowest.nextblockhash);
    await service.waitForTip(below);
    expect((await service.get(`/api/v1/block/${tip}`)).json.code).toBe('block_not_found');
    await waitForHealth(service, 'ready');
    await node.rpc('reconsiderblock', lowest.nextblockhash);
    await service.waitForTip(tip);
  });
});

/** Well-formed, and built on nothing. */
const unsignedTx = `0200000001${'ab'.repeat(32)}0000000000ffffffff0110270000000000000151${'00'.repeat(4)}`;
