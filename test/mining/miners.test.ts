import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { addressOfOwner } from '../harness/raw-coins.ts';
import { type ServiceAnswer, startService, type TestService } from '../harness/service.ts';

type Json = ServiceAnswer['json'];

/** Owners of the miners of each pool; the last one mines nowhere. */
const [FIRST, SECOND, AT_CORE, AT_PUBLIC, NOBODY] = [1, 2, 9, 11, 77] as const;
const txid = 'ab'.repeat(32);

let node: TestNode;
/** Of a block of the node's chain, which a pool says is its own. */
let minedHash = '';
let ckpool = '';
let server: Server;
/** Paths that the servers of the pools were asked for. */
const asked: string[] = [];

beforeAll(async () => {
  node = await startNode();
  minedHash = (await node.mine(3))[1]!;
  ckpool = await mkdtemp(join(tmpdir(), 'coinfront-miners-'));
  await writeCkpool();
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    asked.push(pathname);
    const answer = answerPool(pathname);
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await node.stop();
  await rm(ckpool, { recursive: true, force: true });
});

/** Writes ckpool's files. */
async function writeCkpool(): Promise<void> {
  const lastupdate = Math.floor(Date.now() / 1000);
  await mkdir(join(ckpool, 'pool'), { recursive: true });
  await mkdir(join(ckpool, 'users'), { recursive: true });
  const lines = [{ lastupdate, Users: 2, Workers: 3 }, { hashrate5m: '1.5K' }, { accepted: 10 }];
  await writeFile(join(ckpool, 'pool', 'pool.status'), lines.map((line) => JSON.stringify(line)).join('\n'));
  for (const owner of [FIRST, SECOND]) {
    const name = addressOfOwner(owner);
    const rig = { workername: `${name}.rig${owner}`, hashrate5m: '700', bestshare: 3, lastshare: lastupdate };
    const user = {
      hashrate5m: `${owner}00`,
      workers: 2,
      shares: 5_000,
      bestshare: 7,
      lastshare: lastupdate,
      worker: [{ workername: name, hashrate5m: '1' }, rig],
    };
    await writeFile(join(ckpool, 'users', name), JSON.stringify(user));
  }
}

function answerPool(path: string): unknown {
  const ofCore = `/api/pools/one/miners/${addressOfOwner(AT_CORE)}`;
  if (path === `${ofCore}/payments`)
    return [{ amount: 1.5, created: '2026-03-01T11:00:00Z', transactionConfirmationData: txid }];
  if (path === ofCore)
    return {
      pendingShares: 12,
      pendingBalance: 0.25,
      totalPaid: 7.125,
      todayPaid: 0,
      lastPayment: '2026-03-01T11:00:00Z',
      performance: { workers: { attic: { hashrate: 5 } } },
    };
  if (path === '/api/pools/one/miners') return [{ miner: addressOfOwner(AT_CORE), hashrate: 5 }];
  if (path === '/api/pools/one/blocks')
    return [
      { blockHeight: 901, hash: txid, status: 'pending', reward: 6.25, effort: 0.5, miner: 'D1' },
      { blockHeight: 2, hash: minedHash, status: 'confirmed', created: '2026-03-01T10:00:00Z' },
      { blockHeight: 1, status: 'orphaned' },
    ];
  if (path === '/api/pools/one/payments')
    return [
      { address: 'D1', amount: 1.5, created: '2026-03-01T11:00:00Z', transactionConfirmationData: txid },
    ];
  if (path === '/api/pools/one') return { pool: { poolStats: { connectedMiners: 1, poolHashrate: 5 } } };
  if (path === '/api/pool') return { totalHashRate: 9, totalMiners: 1 };
  if (path === `/api/client/${addressOfOwner(AT_PUBLIC)}`)
    return { bestDifficulty: 4, workersCount: 1, workers: [{ name: 'bitaxe', hashRate: 9 }] };
  return undefined;
}

forEachEngine('the miners of pools', (engine) => {
  let service: TestService;
  let database: DatabaseLocation;
  const start = () => {
    const { port } = server.address() as AddressInfo;
    return startService({
      nodeUrl: node.url,
      database,
      settings: {
        COINFRONT_POOL_SOURCE: `ckpool:${ckpool}`,
        COINFRONT_POOL_OTHERS: `merged=miningcore:http://127.0.0.1:${port}#one,home=public-pool:http://127.0.0.1:${port}`,
      },
    });
  };

  beforeAll(async () => {
    await writeCkpool();
    database = await engine.openUrl();
    service = await start();
    await waitUntil('the pools were read', async () => {
      const { json } = await service.get('/api/v1/pool');
      return json.miners !== null && json.others.every((other: Json) => other.observed_at !== null);
    });
  });
  afterAll(() => service.stop());

  const ask = (typed: string, query = '') =>
    service.get(`/api/v1/pool/miners/${encodeURIComponent(typed)}${query}`);
  const get = async (typed: string, query = ''): Promise<Json> => {
    const answer = await ask(typed, query);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  const shorten = (address: string) => `${address.slice(0, 8)}…${address.slice(-6)}`;

  test('a miner of ckpool has machines, hashrates and shares; what ckpool does not keep is null', async () => {
    const address = addressOfOwner(FIRST);
    const json = await get(address);
    expect(json).toMatchObject({
      source: 'ckpool',
      stale: false,
      address,
      listed: true,
      workers: 2,
      best_share: 7,
      shares: { accepted: 5_000, rejected: null, pending: null },
      balance: { pending: null, paid: null, paid_today: null, last_payment_at: null },
      payments: null,
      worker_list: [
        { name: 'rig1', best_share: 3 },
        { name: null, best_share: null, last_share_at: null },
      ],
    });
    expect(json.hashrates).toContainEqual({ window_seconds: 300, hashes_per_second: '100.000' });
    expect(json.asked_at).not.toBeNull();
  });

  test('blocks and payments of a further pool are as it reports them, and only blocks of this chain have confirmations', async () => {
    await service.waitForTip();
    const reports = '/api/v1/pool/reports';
    const { json } = await service.get(`${reports}?source=merged`);
    expect(json).toMatchObject({ source: 'miningcore', stale: false });
    const unknown = { time: null, reward: null, effort: null, finder: null, confirmations: null };
    expect(json.blocks).toEqual([
      {
        ...{ ...unknown, height: 901, hash: txid, state: 'pending' },
        ...{ reward: '6.25000000', effort: 0.5, finder: 'D1' },
      },
      {
        ...{ ...unknown, height: 2, hash: minedHash, state: 'confirmed' },
        ...{ time: '2026-03-01T10:00:00.000Z', confirmations: 2 },
      },
      { ...unknown, height: 1, hash: null, state: 'orphaned' },
    ]);
    expect(json.payments).toEqual([
      { time: '2026-03-01T11:00:00.000Z', address: 'D1', amount: '1.50000000', txid },
    ]);
    for (const source of ['?source=home', '']) {
      const other = await service.get(`${reports}${source}`);
      expect(other.json).toMatchObject({ blocks: null, payments: null });
    }
    const none = await service.get(`${reports}?source=nobody`);
    expect([none.status, none.json.code]).toEqual([404, 'pool_not_found']);
  });

  test('an address as the list shortens it is found, stays shortened, and names no machines', async () => {
    const { items } = (await service.get('/api/v1/pool/miners')).json;
    const address = addressOfOwner(SECOND);
    expect(items[0].address).toBe(shorten(address));
    for (const typed of [items[0].address, address.slice(0, 8)])
      expect(await get(typed)).toMatchObject({ address: shorten(address), workers: 2, worker_list: null });
  });

  test('a beginning that several have is said to be so; one that nobody has is not found', async () => {
    const common = addressOfOwner(FIRST).slice(0, 6);
    expect(addressOfOwner(SECOND).startsWith(common)).toBe(true);
    const several = await ask(common);
    expect([several.status, several.json.code]).toEqual([409, 'miner_ambiguous']);
    for (const owner of [FIRST, SECOND])
      expect(several.json.detail).toContain(shorten(addressOfOwner(owner)));
    for (const typed of ['zzzzzzzz', 'r', addressOfOwner(FIRST).slice(0, 12)]) {
      const none = await ask(typed);
      expect([none.status, none.json.code], typed).toEqual([404, 'miner_not_found']);
    }
    expect((await ask(addressOfOwner(FIRST), '?source=other')).json.code).toBe('pool_not_found');
  });

  test('an address of which the pool knows nothing is not listed, and everything of it is unknown', async () => {
    expect(await get(addressOfOwner(NOBODY))).toMatchObject({
      listed: false,
      asked_at: null,
      hashrates: [],
      workers: null,
      shares: { accepted: null },
      worker_list: null,
    });
    expect(await get(addressOfOwner(NOBODY), '?source=home')).toMatchObject({ listed: null, asked_at: null });
  });

  test('a miner of Miningcore has a balance and payments, one of public-pool its machines', async () => {
    expect(await get(addressOfOwner(AT_CORE).slice(0, 20), '?source=merged')).toMatchObject({
      source: 'miningcore',
      address: addressOfOwner(AT_CORE),
      listed: true,
      hashrates: [{ window_seconds: null, hashes_per_second: '5.000' }],
      shares: { accepted: null, rejected: null, pending: 12 },
      balance: {
        pending: '0.25000000',
        paid: '7.12500000',
        paid_today: '0.00000000',
        last_payment_at: '2026-03-01T11:00:00.000Z',
      },
      payments: [{ time: '2026-03-01T11:00:00.000Z', amount: '1.50000000', txid }],
      worker_list: [{ name: 'attic' }],
    });
    expect(await get(addressOfOwner(AT_PUBLIC), '?source=home')).toMatchObject({
      source: 'public-pool',
      listed: null,
      best_share: 4,
      worker_list: [{ name: 'bitaxe' }],
      balance: { pending: null },
    });
  });

  test('a pool is asked once for a miner, however many ask', async () => {
    const path = `/api/client/${addressOfOwner(NOBODY)}`;
    await get(addressOfOwner(NOBODY), '?source=home');
    const before = asked.filter((each) => each === path).length;
    await Promise.all(Array.from({ length: 5 }, () => get(addressOfOwner(NOBODY), '?source=home')));
    expect(asked.filter((each) => each === path).length).toBe(before);
  });

  test('hashrates of pools and of miners are kept, and are there after a restart', async () => {
    const readAll = async () => {
      const read = async (path: string) => (await service.get(`/api/v1${path}`)).json.points;
      return {
        pool: await read('/pool/series'),
        merged: await read('/pool/series?source=merged'),
        first: await read(`/pool/miners/${addressOfOwner(FIRST)}/series`),
        short: await read(
          `/pool/miners/${encodeURIComponent(shorten(addressOfOwner(SECOND)))}/series?range=1m`,
        ),
        nobody: await read(`/pool/miners/${addressOfOwner(NOBODY)}/series`),
      };
    };
    await waitUntil('the hashrates are kept', async () => {
      const { pool, merged, first, short } = await readAll();
      return [pool, merged, first, short].every((points) => points.length > 0);
    });
    const { pool, merged, first, short, nobody } = await readAll();
    expect(pool[0].hashes_per_second).toBe('1500.000');
    expect(merged[0].hashes_per_second).toBe('5.000');
    expect(first[0].hashes_per_second).toBe('100.000');
    expect(short[0].hashes_per_second).toBe('200.000');
    expect(nobody).toEqual([]);
    await service.stop();
    service = await start();
    expect((await readAll()).first[0]).toEqual(first[0]);
    const unknown = await service.get('/api/v1/pool/miners/zzzzzzzz/series');
    expect(unknown.json.code).toBe('miner_not_found');
    expect((await service.get('/api/v1/pool/series?source=other')).json.code).toBe('pool_not_found');
  });
});

test('without a source an address has a page on which everything is unknown', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-miners-'));
  const service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
  try {
    const { json } = await service.get(`/api/v1/pool/miners/${addressOfOwner(FIRST)}`);
    expect(json).toMatchObject({
      source: 'chain',
      listed: null,
      hashrates: [],
      workers: null,
      payments: null,
    });
    expect((await service.get('/api/v1/pool/series')).json.points).toEqual([]);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
