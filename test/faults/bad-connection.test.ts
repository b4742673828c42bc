import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { startProxy, type TcpProxy } from '../harness/tcp-proxy.ts';
import { makeTraffic } from '../harness/traffic.ts';

type Fault = (answer: Buffer) => Buffer;

let node: TestNode;
let proxy: TcpProxy;
let service: TestService;
let dataDir: string;

beforeAll(async () => {
  node = await startNode();
  await makeTraffic(node, { seed: 5, blocks: 3, txPerBlock: 15 });
  proxy = await startProxy(node.url);
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-connection-'));
});
afterEach(() => proxy.set({}));
afterAll(async () => {
  await service.kill();
  await proxy.stop();
  await node.stop();
  await rm(dataDir, { recursive: true });
});

/** The same transactions in the same blocks, and the same unspent outputs: a bit that is wrong shows in one of them. */
async function expectIndexOfNode(): Promise<void> {
  const counted = await node.rpc<{ height: number; txouts: number; total_amount: number }>('gettxoutsetinfo');
  const stats = (await service.get('/api/v1/stats')).json;
  const supply = (await service.get('/api/v1/supply')).json;
  expect(stats.utxos).toBe(counted.txouts);
  expect(Number(supply.issued) - Number(supply.burned)).toBeCloseTo(counted.total_amount, 7);
  for (let height = 0; height <= counted.height; height++) {
    const hash = await node.rpc<string>('getblockhash', height);
    const { tx } = await node.rpc<{ tx: string[] }>('getblock', hash);
    expect((await service.get(`/esplora/block/${hash}/txids`)).json).toEqual(tx);
  }
}

describe('the service behind a bad connection to its node', () => {
  test('that damages, cuts and replaces answers: the index that results is sound', async () => {
    const tip = await node.rpc<string>('getbestblockhash');
    const { previousblockhash } = await node.rpc<{ previousblockhash: string }>('getblockheader', tip);
    const parent = Buffer.from(previousblockhash, 'hex').reverse();
    const damageHash: Fault = (answer) => {
      answer[answer.lastIndexOf('"result":"') + 20]! ^= 1;
      return answer;
    };
    // The end of a block is the lock time of its last transaction: part of its id, and of nothing else. Nothing spends
    // from the last block, so nothing later would show the damage.
    const damageTip: Fault = (answer) => {
      answer[answer.length - 1]! ^= 1;
      return answer;
    };
    const cutShort: Fault = (answer) => {
      setImmediate(() => {
        proxy.set({ state: 'cut' });
        proxy.set({ garble });
      });
      return answer.subarray(0, 100);
    };
    const replace: Fault = () =>
      Buffer.from('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 13\r\n\r\n<html></html>');
    const babble: Fault = () => Buffer.from('\0'.repeat(64));
    const faults = [damageTip, cutShort, replace, babble];
    let next: Fault | undefined;
    let lists = 0;
    const garble: Fault = (answer) => {
      if (answer.length > 1_500 && answer.includes('"result":"')) {
        // A list of hashes begins each attempt. The first is damaged itself, each later one brings one fault.
        if (lists++ === 0) return damageHash(answer);
        next = faults.shift();
      }
      if (next === undefined || !answer.includes(parent)) return answer;
      const fault = next;
      next = undefined;
      return fault(answer);
    };
    proxy.set({ garble });
    service = await startService({
      nodeUrl: proxy.through(node.url),
      database: { kind: 'sqlite', dataDir },
      waitFor: 'answer',
    });
    await service.waitForTip(tip);
    expect(faults).toEqual([]);
    await waitForHealth(service, 'ready');
    await expectIndexOfNode();
  });

  test('that is slow: blocks are followed, and reads are answered meanwhile', async () => {
    proxy.set({ delayMs: 400 });
    const [hash] = await node.mine(1);
    expect((await service.get('/api/v1/blocks')).status).toBe(200);
    await service.waitForTip(hash);
    await waitForHealth(service, 'ready');
  });

  test('that falls silent: said so; it stops and starts without the node, and goes on when it is back', async () => {
    proxy.set({ state: 'held' });
    const [hash] = await node.mine(1);
    const health = await waitForHealth(service, 'node_unavailable');
    expect(health.node.error).toBe('timeout');
    expect((await service.get('/api/v1/blocks')).status).toBe(200);
    expect(await service.stop()).toBe(0);
    await service.start();
    expect((await service.get('/api/v1/blocks')).status).toBe(200);
    expect((await service.get('/api/v1/health')).json.ready).toBe(false);
    proxy.set({});
    await service.waitForTip(hash);
    await waitForHealth(service, 'ready');
  });

  test('a request in flight is finished when the service is told to stop, and the index is intact', async () => {
    proxy.set({ delayMs: 400 });
    const raw_tx = await signPayment(node);
    const passed = proxy.waitForRequest('sendrawtransaction');
    const answer = service.post('/api/v1/broadcast', { raw_tx });
    await passed;
    const stopped = service.stop();
    expect(await answer).toMatchObject({ status: 200, json: { already_known: false } });
    expect(await stopped).toBe(0);
    await expect(service.get('/api/v1/health')).rejects.toThrow();
    proxy.set({});
    await node.mine(1);
    await service.start();
    await service.waitForTip();
    await expectIndexOfNode();
  });
});

/** A payment of the node's wallet, signed and not sent. */
async function signPayment(from: TestNode): Promise<string> {
  const outputs = [{ [await from.newAddress()]: 0.01 }];
  const raw = await from.rpc<string>('createrawtransaction', [], outputs);
  const { hex } = await from.rpc<{ hex: string }>('fundrawtransaction', raw);
  return (await from.rpc<{ hex: string }>('signrawtransactionwithwallet', hex)).hex;
}
