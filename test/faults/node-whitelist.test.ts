import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMethodUses } from '../../service/src/node/methods.ts';
import { createNodeClient } from '../../service/src/node/rpc-client.ts';
import { openMethodWatch } from '../../service/src/node/watch-methods.ts';
import { openEngines } from '../harness/engines.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { openPurse, type RawCoin, spend } from '../harness/raw-coins.ts';
import { asUser, type RpcUser, rpcUser, writeRpcUsers } from '../harness/rpc-users.ts';
import { startService, type TestService } from '../harness/service.ts';
import { testProfile } from '../harness/test-coin.ts';

const VALUE = 10_000_000n;
/** A process that does everything; `/tok/preflight` is there where the coin has tokens. */
const NEEDS = { indexes: true, sends: true, tests: true, packages: true, anchors: true };
/** The service of these tests speaks no Electrum protocol, so it takes no packages. */
const SERVED = { ...NEEDS, packages: false, servesRest: false };
const hasTokens = testProfile.tokens !== undefined;
const DOCUMENT = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
/** What docs/operations.md tells operators to allow. */
const documented = DOCUMENT.match(/^rpcwhitelist=coinfront:([a-z,]+)$/m)![1]!.split(',');
const forAnchors = DOCUMENT.match(/`([a-z,]+)` for COINFRONT_ANCHOR_WALLET/)![1]!.split(',');
const everything = [...documented, ...forAnchors];

const [engine] = openEngines();
let node: TestNode;
let nextCoin: () => RawCoin;
/** What this node does not have at all: `submitpackage` came with Core 28. */
let missing: string[];
let front: RpcUser;
let service: TestService;

beforeAll(async () => {
  node = await startNode({ extraArgs: ['-rest=0'] });
  nextCoin = await openPurse(node, { count: 10, value: VALUE, owner: 1 });
  await node.mine(1);
  await node.mine(100);
  front = rpcUser('front', everything);
  const helps = await Promise.all(everything.map((method) => node.rpc<string>('help', method)));
  missing = everything.filter((_, i) => helps[i]!.includes('unknown command'));
});
afterAll(async () => {
  await service?.stop();
  await node.stop();
});

const make = () => spend([nextCoin()], [{ value: VALUE - 10_000n, owner: 2 }]);
const broadcast = (hex: string) => service.post('/api/v1/broadcast', { raw_tx: hex });

/** From now on the node's whitelist lets the service call these. */
async function allow(allowed: readonly string[], others: readonly RpcUser[] = []): Promise<void> {
  front = { ...front, allowed };
  await writeRpcUsers(node, [front, ...others]);
  await node.flush();
  await node.kill();
  await node.start();
}

/** What a watch finds refused for this user. */
async function listRefused(user: RpcUser): Promise<string[]> {
  const client = createNodeClient({ url: asUser(node, user) });
  const watch = openMethodWatch({ node: client, needs: NEEDS, onChange: () => {} });
  await watch.look();
  await client.close();
  return watch.list()!.map(({ method }) => method);
}

test('the document lists each method that is called, and no other', () => {
  const called = listMethodUses({ ...NEEDS, servesRest: false }).map(({ method }) => method);
  expect(everything.toSorted()).toEqual(called.toSorted());
});

test('with each method left out, that one is found', async () => {
  const users = everything.map((method) =>
    rpcUser(
      `without-${method}`,
      everything.filter((each) => each !== method),
    ),
  );
  await allow(everything, users);
  expect(['submitpackage']).toEqual(expect.arrayContaining(missing));
  for (const [i, method] of everything.entries()) {
    const refused = [...new Set([method, ...missing])];
    expect((await listRefused(users[i]!)).toSorted()).toEqual(refused.toSorted());
  }
  expect(await listRefused(front)).toEqual(missing);
});

test('with exactly the documented methods all works, and the node forbids no call', async () => {
  service = await startService({
    nodeUrl: asUser(node, front),
    database: await engine!.openUrl(),
    settings: { COINFRONT_ANCHOR_WALLET: 'main' },
    waitFor: 'answer',
  });
  await service.waitForTip(await node.rpc('getbestblockhash'));
  const tx = make();
  const preflight = hasTokens ? await service.post('/api/v1/tok/preflight', { raw_tx: tx.hex }) : undefined;
  if (preflight) {
    const mempool = expect.objectContaining({ name: 'mempool', result: 'passed' });
    expect(preflight.json.checks).toContainEqual(mempool);
  }
  expect((await broadcast(tx.hex)).json).toMatchObject({ txid: tx.txid, already_known: false });
  expect((await broadcast(tx.hex)).json).toMatchObject({ txid: tx.txid, already_known: true });
  const anchored = await service.post('/api/v1/proof/anchor', { sha256: randomBytes(32).toString('hex') });
  expect([anchored.status, anchored.json.result]).toEqual([202, 'submitted']);
  const mempool = await node.rpc<string[]>('getrawmempool');
  await waitUntil("its mempool is the node's", async () => {
    const { json } = await service.get('/esplora/mempool/txids');
    return json.toSorted().join() === mempool.toSorted().join();
  });
  const [hash] = await node.mine(1);
  await service.waitForTip(hash);
  const health = await waitForHealth(service, 'ready');
  expect([health.problem, health.node.refused_methods]).toEqual([null, []]);
  expect(await listForbidden()).toEqual([]);
});

test('without sendrawtransaction a broadcast says so and does not ask to try again; health and log name it', async () => {
  await allow(everything.filter((method) => method !== 'sendrawtransaction' && method !== 'getmempoolentry'));
  const health = await waitForRefused(['sendrawtransaction', 'getmempoolentry']);
  expect(health).toMatchObject({ status: 'ready', ready: true });
  expect(health.problem).toMatch(/without sendrawtransaction no transaction is broadcast/);
  expect(health.problem).not.toContain('getmempoolentry');
  expect(service.printed()).toMatch(/refuses sendrawtransaction: no transaction is broadcast/);
  const refused = await broadcast(make().hex);
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'node_unavailable',
    null,
  ]);
  expect(refused.json.detail).toMatch(/was not sent.*sendrawtransaction/s);
});

test('what can be done without is done without: peers, waiting, estimates, counts, what is known', async () => {
  const without = listMethodUses(SERVED).filter(({ optional }) => optional);
  await allow(everything.filter((method) => !without.some((use) => use.method === method)));
  const health = await waitForRefused(without.map(({ method }) => method));
  expect([health.problem, health.status]).toEqual([null, 'ready']);
  const [hash] = await node.mine(1);
  await service.waitForTip(hash);
  expect((await service.get('/api/v1/fee')).json.minimum.source).toBe('node');
  const tx = make();
  expect((await broadcast(tx.hex)).json).toMatchObject({ txid: tx.txid, already_known: false });
  await waitUntil('it is seen', async () => (await service.get(`/api/v1/tx/${tx.txid}`)).status === 200);
  expect((await broadcast(tx.hex)).json).toMatchObject({ txid: tx.txid, already_known: true });
});

test('a node that allows nothing to the service is not available, and says why', async () => {
  await allow([]);
  const health = await waitForRefused(
    listMethodUses({ ...SERVED, tests: hasTokens }).map(({ method }) => method),
  );
  expect(health).toMatchObject({ status: 'node_unavailable', node: { error: 'forbidden' } });
  expect(health.problem).toMatch(/without getblockchaininfo .* nothing is followed/);
});

async function waitForRefused(methods: readonly string[]) {
  const find = async () => (await service.get('/api/v1/health')).json;
  const list = (health: { node: { refused_methods: Array<{ method: string }> | null } }) =>
    health.node.refused_methods
      ?.map(({ method }) => method)
      .toSorted()
      .join();
  await waitUntil(`health names ${methods.join(', ')}`, async () => {
    const health = await find();
    const isAway = health.node.error !== null && health.node.error !== 'forbidden';
    return !isAway && list(health) === methods.toSorted().join();
  });
  return await find();
}

/** Methods that the node's log says it did not let the service call. */
async function listForbidden(): Promise<string[]> {
  const log = await readFile(join(node.dataDir, 'regtest', 'debug.log'), 'utf8');
  return [...log.matchAll(/RPC User front not allowed to call method (\w+)/g)].map(([, method]) => method!);
}
