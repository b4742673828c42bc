import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEngines } from '../harness/engines.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { makeMatureCoins, type RawCoin, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';

const VALUE = 10_000_000n;
const AT_ONCE = 40;

const [engine] = openEngines();
let node: TestNode;
let coins: RawCoin[];
let service: TestService;

// One thread for all callers, and room for one request besides the one that it serves.
beforeAll(async () => {
  node = await startNode({ extraArgs: ['-rpcthreads=1', '-rpcworkqueue=1'] });
  coins = await makeMatureCoins(node, { count: AT_ONCE, value: VALUE, owner: 1 });
  service = await startService({ nodeUrl: node.url, database: await engine!.openUrl(), waitFor: 'answer' });
});
afterAll(async () => {
  await service?.stop();
  await node.stop();
});

test('a node with one thread and a short queue is followed, and takes each of many broadcasts at once', async () => {
  await waitForHealth(service, 'ready');
  const sent = coins.map((coin) => spend([coin], [{ value: VALUE - 10_000n, owner: 2 }]));
  const answers = await Promise.all(
    sent.map(({ hex }) => service.post('/api/v1/broadcast', { raw_tx: hex })),
  );
  for (const [i, { status, json }] of answers.entries()) {
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ txid: sent[i]!.txid, already_known: false }),
    ]);
  }
  expect((await node.rpc<string[]>('getrawmempool')).toSorted()).toEqual(
    sent.map(({ txid }) => txid).toSorted(),
  );
  const [hash] = await node.mine(1);
  await service.waitForTip(hash);
  expect((await service.get('/api/v1/health')).json.status).toBe('ready');
});
