import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walletUrl } from '../../service/src/node/anchor-wallet.ts';
import { createNodeClient, type NodeClient } from '../../service/src/node/rpc-client.ts';
import { openEngines } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Miners take nothing below this rate. The wallet pays 0.0001: what it sends is relayed, and never mined. */
const MINED_RATE = 0.00025;

// Rounds of the keeper make it slow, and the engine is of no matter to it: what is stored is tested on both.
const [engine] = openEngines();
let node: TestNode;
let wallet: NodeClient;
let miner: string;
let service: TestService;

beforeAll(async () => {
  node = await startNode({ extraArgs: [`-blockmintxfee=${MINED_RATE}`] });
  miner = await node.newAddress();
  await node.mine(110, miner);
  await node.rpc('createwallet', 'stuck');
  wallet = createNodeClient({ url: walletUrl(node.url, 'stuck') });
  const main = createNodeClient({ url: walletUrl(node.url, 'main') });
  await main.call('settxfee', [0.001]);
  // One coin: each anchor spends the change of the one before.
  await main.call('sendtoaddress', [await wallet.call<string>('getnewaddress'), 1]);
  await main.close();
  await node.mine(1, miner);
  service = await startService({
    nodeUrl: node.url,
    database: await engine!.openUrl(),
    settings: { COINFRONT_ANCHOR_WALLET: 'stuck', COINFRONT_CALENDAR_INTERVAL: '1' },
  });
});
afterAll(async () => {
  await service?.stop();
  await wallet?.close();
  await node?.stop();
});

const mine = async () => service.waitForTip((await node.mine(1, miner))[0]!);
const findLeaf = async (digest: string) => (await service.get(`/api/v1/proof/leaf/${digest}`)).json;
const takeOne = async () => {
  const sha256 = randomBytes(32).toString('hex');
  expect((await service.post('/api/v1/proof/anchor', { sha256, form: 'calendar' })).status).toBe(202);
  await waitUntil('its root is sent', async () => (await findLeaf(sha256)).state === 'mempool');
  return sha256;
};

test('roots that miners pass over are paid for until they are mined, with all that hang on one coin', {
  timeout: 300_000,
}, async () => {
  const digests = [await takeOne(), await takeOne(), await takeOne()];
  const sent = await node.rpc<string[]>('getrawmempool');
  expect(sent).toHaveLength(3);
  const isMined = async () => {
    const states = await Promise.all(digests.map(async (digest) => (await findLeaf(digest)).state));
    return states.every((state) => state === 'confirmed' || state === 'final');
  };
  await mine();
  expect(await isMined()).toBe(false);
  const started = Date.now();
  while (!(await isMined())) {
    if (Date.now() - started > 200_000) throw new Error('They were passed over for 200 s.');
    await mine();
  }
  const txids = await Promise.all(digests.map(async (digest) => (await findLeaf(digest)).primary.txid));
  // What was answered before is what was mined: nothing was replaced.
  expect(txids.sort()).toEqual(sent.sort());
  const { balance } = await wallet.call<{ balance: number }>('getwalletinfo');
  expect(1 - balance).toBeLessThanOrEqual(3 * 0.001);
  // It goes on from there, and is told to nobody as stuck.
  const next = await takeOne();
  expect((await findLeaf(next)).pending).toHaveLength(1);
  const metrics = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
  expect(metrics).toMatch(/^coinfront_anchors_stuck 0$/m);
});
