import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sendJson, sendResults, startFakeNode } from '../../../test/harness/fake-node.ts';
import { startNode, startPair, type TestNode, waitUntil } from '../../../test/harness/litecoind.ts';
import { startProxy } from '../../../test/harness/tcp-proxy.ts';
import type { NodeError } from './node-error.ts';
import { createNodeClient } from './rpc-client.ts';
import { type Tip, type WatchTipOptions, watchTip } from './tip-watcher.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node.stop());

const stopping: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const stop of stopping.splice(0).reverse()) await stop();
});

function watch(client: WatchTipOptions['node'], settings: Partial<WatchTipOptions> = {}) {
  const controller = new AbortController();
  const tips: Tip[] = [];
  const errors: NodeError[] = [];
  const ended = watchTip({
    node: client,
    onTip: (tip) => tips.push(tip),
    onError: (error) => errors.push(error),
    signal: controller.signal,
    ...settings,
  });
  const stop = async () => {
    controller.abort();
    await ended;
  };
  stopping.push(stop);
  return {
    tips,
    errors,
    stop,
    sees: (hash: string) => waitUntil(`tip ${hash} is seen`, () => tips.at(-1)?.hash === hash),
  };
}

test('the present tip is told at once, then each new one once', async () => {
  const height = await node.rpc<number>('getblockcount');
  const watched = watch(node.client);
  await watched.sees(await node.rpc('getbestblockhash'));
  for (let block = 0; block < 5; block += 1) await watched.sees((await node.mine(1))[0]!);
  expect(watched.tips.map((tip) => tip.height)).toEqual([0, 1, 2, 3, 4, 5].map((more) => height + more));
  expect(watched.tips.slice(1).map(({ previousHash }) => previousHash)).toEqual(
    watched.tips.slice(0, -1).map(({ hash }) => hash),
  );
  expect(watched.errors).toEqual([]);
});

test('a long poll tells of blocks when the pause between two looks is endless', async () => {
  const watched = watch(node.client, { pollMs: 1_000_000 });
  await watched.sees(await node.rpc('getbestblockhash'));
  for (let block = 0; block < 20; block += 1) await watched.sees((await node.mine(1))[0]!);
});

test('a tip that the long poll names is looked at in one round trip', async () => {
  const [first, second] = ['aa'.repeat(32), 'bb'.repeat(32)];
  let tip = first;
  let answerHeld: (() => void) | undefined;
  /** Methods asked since the block came, of which none is answered before there are two. */
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const fake = await startFakeNode((response, request) => {
    const { method } = request.rpc as { method: string };
    const answer = (): void =>
      sendResults(response, request, () => {
        if (method === 'getblockheader') return { height: tip === first ? 1 : 2, previousblockhash: first };
        return method === 'waitfornewblock' ? { hash: tip, height: 2 } : tip;
      });
    if (method === 'waitfornewblock') answerHeld = answer;
    else if (tip === first) answer();
    else {
      asked.push(method);
      waiting.push(answer);
      if (asked.length >= 2) for (const each of waiting.splice(0)) each();
    }
  });
  const client = createNodeClient({ url: fake.url });
  const watched = watch(client, { pollMs: 1_000_000, longPollMs: 1_000_000 });
  await watched.sees(first);
  await waitUntil('the call is held', () => answerHeld !== undefined);
  tip = second;
  answerHeld!();
  await watched.sees(second);
  expect(asked.slice(0, 2).sort()).toEqual(['getbestblockhash', 'getblockheader']);
  await watched.stop();
  await client.close();
  await fake.stop();
});

test('before a new tip is told it is said that there may be one', async () => {
  const order: string[] = [];
  const watched = watch(node.client, {
    pollMs: 1_000_000,
    onTurn: () => order.push('turn'),
    onTip: ({ hash }) => order.push(hash),
  });
  await waitUntil('the present tip is told', () => order.some((each) => each !== 'turn'));
  for (let block = 0; block < 3; block += 1) {
    const before = order.length;
    const [hash] = await node.mine(1);
    await waitUntil('the block is told', () => order.includes(hash!));
    expect(order.slice(before, order.indexOf(hash!))).toContain('turn');
  }
  await watched.stop();
});

test('looks alone tell of blocks where the node refuses to hold a call', async () => {
  let hash = 'aa'.repeat(32);
  const fake = await startFakeNode((response, request) => {
    const { id, method } = request.rpc as { id: number; method: string };
    if (method === 'waitfornewblock') {
      sendJson(response, 404, { result: null, error: { code: -32601, message: 'Method not found' }, id });
    } else {
      sendResults(response, request, () => (method === 'getbestblockhash' ? hash : { height: 7 }));
    }
  });
  const client = createNodeClient({ url: fake.url });
  const watched = watch(client, { pollMs: 10 });
  await watched.sees(hash);
  hash = 'bb'.repeat(32);
  await watched.sees(hash);
  expect(watched.errors).toEqual([]);
  await watched.stop();
  await client.close();
  await fake.stop();
});

test('a node with one thread is asked to hold short calls only, and no more until it was away', async () => {
  const single = await startNode({ extraArgs: ['-rpcthreads=1'] });
  stopping.push(single.stop);
  const { watched, held, mine } = await watchHeldCalls(single);
  await mine(10);
  const found = held();
  expect(found.at(-1)).toBe(200);
  await mine(20);
  expect(held()).toEqual(found);
  await single.kill();
  await single.start();
  await waitUntil('it is asked again', () => held().length > found.length);
  await mine(1);
  expect(watched.errors.length).toBeLessThan(2);
});

test('a node with threads to spare is asked to hold calls for as long as is wanted', async () => {
  const { held, mine } = await watchHeldCalls(node);
  await waitUntil('it is asked for a long one', () => held().at(-1) === 5_000);
  await mine(3);
  expect(held().slice(0, 2)).toEqual([200, 5_000]);
});

/** Watches a node through a proxy that sees for how long it is asked to hold calls. */
async function watchHeldCalls(at: TestNode) {
  let asked = '';
  const proxy = await startProxy(at.url, (bytes) => {
    asked += bytes.toString('latin1');
  });
  const client = createNodeClient({ url: proxy.through(at.url) });
  stopping.push(async () => {
    await client.close();
    await proxy.stop();
  });
  const watched = watch(client, { pollMs: 10 });
  return {
    watched,
    held: () => [...asked.matchAll(/"waitfornewblock","params":\[(\d+)\]/g)].map(([, ms]) => Number(ms)),
    async mine(blocks: number) {
      for (let block = 0; block < blocks; block += 1) await watched.sees((await at.mine(1))[0]!);
    },
  };
}

test('a reorg to a branch of the same height or longer is told', async () => {
  const pair = await startPair();
  stopping.push(pair.stop);
  await pair.a.mine(3);
  await pair.join();
  const watched = watch(pair.a.client);
  await pair.part();
  await watched.sees((await pair.a.mine(2))[1]!);
  const longer = await pair.b.mine(3);
  await pair.join();
  await watched.sees(longer[2]!);

  // The same height: the tip is forbidden, and another block takes its place.
  await pair.a.rpc('invalidateblock', longer[2]);
  const [replacement] = await pair.a.mine(1);
  await watched.sees(replacement!);
  expect(watched.tips.at(-1)?.height).toBe(6);
  await watched.stop();
});

test('an outage is told once, and the tip again after it', async () => {
  const watched = watch(node.client, { pollMs: 20 });
  const hash = await node.rpc<string>('getbestblockhash');
  await watched.sees(hash);
  const told = watched.tips.length;
  await node.pause();
  await waitUntil('the outage is told', () => watched.errors.length > 0);
  await node.start();
  await waitUntil('the node is seen again', () => watched.tips.length > told);
  expect(watched.errors).toHaveLength(1);
  // One that is about to stop may still say that it takes nothing any more.
  expect(['unreachable', 'warming_up', 'busy']).toContain(watched.errors[0]?.kind);
  expect(watched.tips.at(-1)?.hash).toBe(hash);
  await watched.sees((await node.mine(1))[0]!);
});

test('a node that answers nonsense is an outage', async () => {
  const fake = await startFakeNode((response, request) => {
    sendResults(response, request, (method) => (method === 'waitfornewblock' ? null : { odd: true }));
  });
  const client = createNodeClient({ url: fake.url });
  const watched = watch(client, { pollMs: 10, longPollMs: 10 });
  await waitUntil('the nonsense is told', () => watched.errors.length > 0);
  await waitUntil('it was asked again', () => fake.count() > 8);
  expect(watched.errors.map(({ kind }) => kind)).toEqual(['invalid_answer']);
  expect(watched.tips).toEqual([]);
  await watched.stop();
  await client.close();
  await fake.stop();
});
