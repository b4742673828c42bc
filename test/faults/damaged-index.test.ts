import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { coinRuns, historyRuns, spendRuns, txRuns } from '../../service/src/indexer/runs/run-kinds.ts';
import {
  cutInHalf,
  cutRuns,
  type Damage,
  damageHeader,
  damagePagesOf,
  damageRuns,
  damageTxs,
  removeRuns,
} from '../harness/damage.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, runAdmin } from '../harness/merchant.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { startService, type TestService } from '../harness/service.ts';
import { testCoin } from '../harness/test-coin.ts';
import { makeTraffic } from '../harness/traffic.ts';

/** Pages of the index are not what was written: what needs them is refused, and everything else goes on. */

/** Answers that reads may give: right ones, and the refusal. */
const WHOLE = [200, 404];
const DAMAGED = [503, 'index_unavailable'];
/** At least one a test. */
const PAYMENTS = 20;
const settings = { COINFRONT_WEBHOOK_ALLOW: 'loopback' };

let node: TestNode;
let dataDir: string;
let service: TestService;
let apiKey: string;
let receiver: Receiver;
/** Payments that nobody has paid; each test may end one. */
const openPayments: string[] = [];
let paths: string[];

const indexFile = () => join(dataDir, 'chain.db');
const runFolder = () => `${indexFile()}-runs`;
const wholeCopy = () => join(dataDir, 'whole-copy');
const start = async (waitFor: 'tip' | 'answer') =>
  await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir }, settings, waitFor });

beforeAll(async () => {
  node = await startNode();
  await makeTraffic(node, { seed: 18, blocks: 12, txPerBlock: 12 });
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-damage-'));
  receiver = await startReceiver();
  service = await start('tip');
  const url = `http://127.0.0.1:${receiver.port}/`;
  ({ apiKey } = await createTestMerchant(
    service,
    { kind: 'sqlite', dataDir },
    ['--webhook-url', url],
    settings,
  ));
  for (let n = 0; n < PAYMENTS; n += 1) {
    const order = { recipient: await node.newAddress(), amount: '1.00000000' };
    const made = await service.post('/api/v1/payments', order, { 'x-coin-pay-api-key': apiKey });
    openPayments.push(made.json.id);
  }
  const { json: blocks } = await service.get('/api/v1/blocks?limit=3');
  const txids = await node.rpc<{ tx: string[] }>('getblock', blocks.items[1].hash);
  expect(txids.tx.length).toBeGreaterThan(1);
  const { json: spender } = await service.get(`/api/v1/tx/${txids.tx[1]}`);
  const address = await findUnspentAddress(txids.tx);
  paths = [
    '/api/v1/blocks',
    '/api/v1/block/7',
    `/api/v1/block/${blocks.items[0].hash}`,
    `/api/v1/tx/${txids.tx[0]}`,
    `/api/v1/tx/${txids.tx[1]}`,
    // An output of it is spent.
    `/api/v1/tx/${spender.inputs[0].txid}`,
    `/api/v1/address/${address}`,
    `/api/v1/address/${address}/utxos`,
    `/api/v1/address/${address}/txs`,
    `/esplora/tx/${txids.tx[1]}/outspends`,
    `/esplora/address/${address}/utxo`,
    `/esplora/block/${blocks.items[1].hash}/txids`,
    '/api/v1/status',
    '/api/v1/stats',
    '/api/v1/supply',
  ];
  await service.stop();
  await copyFile(indexFile(), wholeCopy());
  await cp(runFolder(), `${wholeCopy()}-runs`, { recursive: true });
});
afterEach(async () => {
  await service.stop();
});
afterAll(async () => {
  await receiver.stop();
  await node.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** An address that a transaction of a block pays, with an output that is unspent: its history is in the index. */
async function findUnspentAddress(txids: readonly string[]): Promise<string> {
  for (const txid of txids) {
    const { json: tx } = await service.get(`/api/v1/tx/${txid}`);
    for (const { address } of tx.outputs) {
      if (address === null) continue;
      const { json: unspent } = await service.get(`/api/v1/utxos/${address}`);
      if (unspent.items.length > 0) return address;
    }
  }
  throw new Error('Nothing of the block is unspent.');
}

async function putBack(): Promise<void> {
  for (const suffix of ['-wal', '-shm']) await rm(indexFile() + suffix, { force: true });
  await copyFile(wholeCopy(), indexFile());
  await rm(runFolder(), { recursive: true, force: true });
  await cp(`${wholeCopy()}-runs`, runFolder(), { recursive: true });
}

async function startDamaged(damage: Damage): Promise<void> {
  await putBack();
  damage(indexFile());
  service = await start('answer');
}

/** Reads everything many times at once; gives each refusal once. Any answer but a right one and a refusal is a fault. */
async function readAll(): Promise<string[]> {
  const refused = new Set<string>();
  const read = async (path: string): Promise<void> => {
    const { status, json, text } = await service.get(path);
    if (WHOLE.includes(status)) return;
    // Before the index is known to be there at all.
    if (json?.code === 'not_ready') return;
    refused.add(path);
    expect(text).not.toMatch(/chain\.db|malformed|sqlite|\/tmp\//i);
    if (!path.startsWith('/esplora'))
      expect([path, status, json?.code], service.printed()).toEqual([path, ...DAMAGED]);
    else expect([path, status]).toEqual([path, DAMAGED[0]]);
  };
  for (let round = 0; round < 3; round += 1) await Promise.all([...paths, ...paths].map(read));
  return [...refused];
}

/** What is precious goes on, it is in another file: an open payment is read and cancelled, and its merchant is told. */
async function expectPreciousGoesOn(): Promise<void> {
  const path = `/api/v1/payments/${openPayments.pop()}`;
  const found = await service.get(path);
  expect([found.status, found.json.status]).toEqual([200, 'open']);
  const told = receiver.received.length + 1;
  const cancelled = await service.post(`${path}/cancel`, {}, { 'x-coin-pay-api-key': apiKey });
  expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelled']);
  await receiver.waitForRequests(told);
  expect((await service.get(path)).json.status).toBe('cancelled');
}

async function expectFailedHealth(): Promise<void> {
  const health = await waitForHealth(service, 'index_failed');
  expect(health).toMatchObject({ ready: false, problem: expect.stringMatching(/damaged.*delete the index/) });
  expect(health.problem).not.toMatch(/chain\.db|\/tmp\//);
  expect((await service.get('/api/v1/health?require=ready')).status).toBe(503);
  const metrics = await fetch(`${service.metricsOrigin}/metrics`).then((answer) => answer.text());
  expect(metrics).toMatch(/^coinfront_ready 0$/m);
}

describe.each<[string, Damage]>([
  ['of transactions', damageTxs('overwrite')],
  ['of the ends of the files of transactions', damageTxs('cut')],
  ['of whole files of transactions', damageTxs('remove')],
  ['of blocks', damagePagesOf('block')],
  ['of the index of blocks by hash', damagePagesOf('block_hash')],
  ['of txids', damageRuns(txRuns.code, 'pages')],
  ['of spenders', damageRuns(spendRuns.code, 'pages')],
  ['of histories', damageRuns(historyRuns.code, 'pages')],
  ['of unspent outputs', damageRuns(coinRuns.code, 'pages')],
  ['of the list of runs', damagePagesOf('run')],
  ['of the filters of runs', damageRuns(txRuns.code, 'filter')],
  ['of the ends of the files of runs', cutRuns],
  ['of the folder of runs', removeRuns],
  ['of what the service knows of its tables', damagePagesOf('meta')],
  ['of the schema', damagePagesOf('sqlite_schema')],
  ['of the header', damageHeader],
  ['of the second half', cutInHalf],
])('damage %s', (_, damage) => {
  test('is refused where it is met and named by health, and the rest goes on', async () => {
    await startDamaged(damage);
    const refused = await readAll();
    // The indexer meets it, too, wherever reads do not.
    if (refused.length === 0) await node.mine(1);
    await expectFailedHealth();
    await readAll();
    await expectPreciousGoesOn();
    expect(service.isRunning()).toBe(true);
    expect(service.printed()).toMatch(/damaged.*delete (this file|the index)/i);
    expect(service.printed()).not.toMatch(/uncaught|unhandled/i);
  });
});

test('damage that comes while the service runs ends no more than what it meets', async () => {
  await putBack();
  service = await start('tip');
  expect(await readAll()).toEqual([]);
  await service.stop();
  service = await start('tip');
  // Nothing of these pages was read since the start.
  damageTxs('overwrite')(indexFile());
  damageRuns(txRuns.code, 'pages')(indexFile());
  expect(await readAll()).not.toEqual([]);
  await expectFailedHealth();
  await expectPreciousGoesOn();
});

test('an index that is deleted, as health says, is built anew, and nothing is refused any more', async () => {
  await startDamaged(damageTxs('overwrite'));
  await readAll();
  await expectFailedHealth();
  await service.stop();
  for (const suffix of ['', '-wal', '-shm']) await rm(indexFile() + suffix, { force: true });
  service = await start('tip');
  await waitUntil('the mempool is there', async () => (await service.get('/api/v1/health')).json.ready);
  expect(await readAll()).toEqual([]);
});

test('a command that reads the index says what is damaged and what to do', async () => {
  await startDamaged(damagePagesOf('block'));
  const args = ['verify-index'];
  const { code, stderr } = await runAdmin({ kind: 'sqlite', dataDir }, args, { COINFRONT_COIN: testCoin });
  expect(code).toBe(1);
  expect(stderr.trim()).toMatch(/^\S+chain\.db is damaged .*delete this file.*built anew from the node\.$/);
});
