import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { subsidyAt } from '@coinfront/protocol/subsidy.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import type { MiningHistoryTables } from '../../service/src/parts/mining/history/mining-tables.ts';
import { findEfforts, keepEfforts } from '../../service/src/parts/mining/luck/effort-store.ts';
import { listSeenBlocks, type MiningTables } from '../../service/src/parts/mining/seen-block-store.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { mineByHand } from '../harness/mine-by-hand.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { addressOfOwner, scriptOf } from '../harness/raw-coins.ts';
import { type ServiceAnswer, startService, type TestService } from '../harness/service.ts';

type Json = ServiceAnswer['json'];

const pool = getShippedProfile('regtest').pool!;
const operatorScript = pool.payoutScripts[0]!;
/** Heights that a coinbase made by hand can have begin here. */
const FIRST_BLOCKS = 150;
const MINER = 7;

/** Of the next block. */
async function subsidy(): Promise<bigint> {
  return subsidyAt((await node.rpc<number>('getblockcount')) + 1, getShippedProfile('regtest'))!;
}

let node: TestNode;
let ckpool = '';
let miningcore: Server;
let efforts: { hash: string; effort: number }[] = [];

beforeAll(async () => {
  node = await startNode();
  await node.mine(FIRST_BLOCKS);
  ckpool = await mkdtemp(join(tmpdir(), 'coinfront-pool-'));
  await writeCkpool(Math.floor(Date.now() / 1000));
  miningcore = createServer((request, response) => {
    response.end(JSON.stringify(answerMiningcore(new URL(request.url ?? '', 'http://x').pathname)));
  }).listen(0, '127.0.0.1');
  await once(miningcore, 'listening');
});
afterAll(async () => {
  miningcore.closeAllConnections();
  miningcore.close();
  await node.stop();
  await rm(ckpool, { recursive: true, force: true });
});

async function writeCkpool(lastupdate: number): Promise<void> {
  await mkdir(join(ckpool, 'pool'), { recursive: true });
  await mkdir(join(ckpool, 'users'), { recursive: true });
  const lines = [
    { runtime: 60, lastupdate, Users: 3, Workers: 5, Idle: 0, Disconnected: 0 },
    { hashrate1m: '2K', hashrate5m: '1.5K', hashrate15m: '1.2K', hashrate1hr: '1K', hashrate6hr: '900' },
    { diff: 1, accepted: 1000, rejected: 12, bestshare: 55.5, SPS1m: 1 },
  ];
  await writeFile(join(ckpool, 'pool', 'pool.status'), lines.map((line) => JSON.stringify(line)).join('\n'));
  for (const [owner, rate] of [
    [1, '100'],
    [2, '700'],
    [3, '300'],
  ] as const)
    await writeFile(
      join(ckpool, 'users', addressOfOwner(owner)),
      JSON.stringify({ hashrate1hr: rate, workers: owner, bestshare: 1.5, lastshare: lastupdate }),
    );
}

function answerMiningcore(path: string): unknown {
  if (path.endsWith('/miners')) return [{ miner: addressOfOwner(9), hashrate: 5 }];
  if (path.endsWith('/blocks')) return efforts;
  return { pool: { id: 'one', poolStats: { connectedMiners: 1, poolHashrate: 5 }, poolEffort: 0.5 } };
}

const pay = (miner: bigint, operator: bigint): TxOutput[] => [
  { value: miner, script: scriptOf(MINER) },
  { value: operator, script: operatorScript },
];
const mineTagged = (outputs: TxOutput[]) => mineByHand(node, outputs, [], pool.tag);

forEachEngine('the public pool', (engine) => {
  let service: TestService;
  let precious: Precious;
  let database: DatabaseLocation;

  beforeAll(async () => {
    database = await engine.openUrl();
    const { port } = miningcore.address() as AddressInfo;
    service = await startService({
      nodeUrl: node.url,
      database,
      settings: {
        COINFRONT_POOL_SOURCE: `ckpool:${ckpool}`,
        COINFRONT_POOL_OTHERS: `merged=miningcore:http://127.0.0.1:${port}#one,home=public-pool:http://127.0.0.1:1`,
      },
    });
    precious = await openBeside(database);
  });
  afterAll(async () => {
    await precious.close();
    await service.stop();
  });

  const get = async (path: string): Promise<Json> => {
    const answer = await service.get(`/api/v1${path}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  /** Mines, waits, and gives the block as it is listed; undefined when it is not. */
  const mineAndFind = async (outputs: TxOutput[], tag = pool.tag): Promise<Json> => {
    const hash = await mineByHand(node, outputs, [], tag);
    await service.waitForTip(hash);
    const { items } = await get('/pool/blocks?limit=5');
    return items.find((item: Json) => item.hash === hash);
  };
  const waitUntilSeen = (hash: string, hasLeft: boolean) =>
    waitUntil(`block ${hash} is remembered`, async () => {
      const seen = await listSeenBlocks(precious.query<MiningTables>(), -1);
      return seen.some((block) => block.hash === hash && block.hasLeft === hasLeft);
    });

  test('is described with its policy, its figures, and where they come from', async () => {
    await waitUntil('the pool was read', async () => (await get('/pool')).miners !== null);
    const json = await get('/pool');
    expect(json).toMatchObject({
      source: 'ckpool',
      stale: false,
      tag: '/coinpool/',
      payout_policy: { kind: 'solo', miner_percent: 99, operator_percent: 1 },
      stratum: { port: 3933, url: 'stratum+tcp://127.0.0.1:3933' },
      miners: 3,
      workers: 5,
      best_share: 55.5,
      shares: { accepted: 1000, rejected: 12 },
    });
    expect(json.hashrates.slice(0, 2)).toEqual([
      { window_seconds: 60, hashes_per_second: '2000.000' },
      { window_seconds: 300, hashes_per_second: '1500.000' },
    ]);
    // ckpool wrote no window of a day: that is unknown, and not 0.
    expect(json.hashrates[5]).toEqual({ window_seconds: 86_400, hashes_per_second: null });
    const { difficulty } = await node.rpc<{ difficulty: number }>('getmininginfo');
    expect(json.network.difficulty).toBe(difficulty);
    expect(json.effort).toBeCloseTo(1000 / difficulty, 0);
    // A block of regtest takes two hashes on average.
    expect(json.expected_block).toEqual({
      seconds: 0.002,
      chance_per_day: 1,
      memoryless: true,
      window_seconds: 3600,
    });
  });

  test('stands apart from further pools; one that cannot be read is unknown', async () => {
    await waitUntil('the merged pool was read', async () => (await get('/pool')).others[0].miners !== null);
    await waitUntil('the home pool was asked', async () => (await get('/pool')).others[1].stale);
    const { others } = await get('/pool');
    expect(others).toMatchObject([
      {
        name: 'merged',
        source: 'miningcore',
        stale: false,
        miners: 1,
        effort: 0.5,
        hashrates: [{ window_seconds: null, hashes_per_second: '5.000' }],
      },
      {
        name: 'home',
        source: 'public-pool',
        stale: true,
        observed_at: null,
        hashrates: [],
        miners: null,
        workers: null,
        effort: null,
      },
    ]);
  });

  test('lists its miners, highest hashrate first, page by page', async () => {
    const addresses: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`/pool/miners?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(page).toMatchObject({ source: 'ckpool', listed: 3, complete: true });
      addresses.push(...page.items.map((item: Json) => item.address));
      cursor = page.next_cursor;
    }
    const short = (owner: number) =>
      `${addressOfOwner(owner).slice(0, 8)}…${addressOfOwner(owner).slice(-6)}`;
    expect(addresses).toEqual([short(2), short(3), short(1)]);
    expect(await get('/pool/miners?source=merged')).toMatchObject({
      items: [{ address: addressOfOwner(9) }],
    });
    expect(await get('/pool/miners?source=home')).toMatchObject({ listed: null, complete: false, items: [] });
    expect((await service.get('/api/v1/pool/miners?source=other')).json.code).toBe('pool_not_found');
    expect((await service.get('/api/v1/pool/miners?cursor=AAAA')).json.code).toBe('invalid_cursor');
  });

  test('has its blocks graded by what their coinbases pay', async () => {
    const share = (await subsidy()) / 100n;
    expect(await mineAndFind(pay((await subsidy()) - share, share))).toMatchObject({
      grade: 'verified',
      status: 'immature',
      confirmations: 1,
      split: {
        total: '25.00000000',
        miner: '24.75000000',
        operator: '0.25000000',
        miner_ppm: 990_000,
        operator_ppm: 10_000,
        kept: true,
      },
      miner_address: addressOfOwner(MINER),
      effort: null,
      luck: null,
    });
    for (const off of [-1n, 1n])
      expect(await mineAndFind(pay((await subsidy()) - share - off, share + off))).toMatchObject({
        grade: 'verified',
      });
    for (const off of [-2n, 2n])
      expect(await mineAndFind(pay((await subsidy()) - share - off, share + off))).toMatchObject({
        grade: 'mismatch',
        split: { kept: false },
      });
    // The right shares of less than there is: the miner lacks 99 % of what nobody gets.
    expect(await mineAndFind(pay(99_000_000n, 1_000_000n))).toMatchObject({
      grade: 'mismatch',
      split: { miner_ppm: 990_000, kept: false },
    });
    expect(await mineAndFind([{ value: await subsidy(), script: scriptOf(MINER) }])).toMatchObject({
      grade: 'tag_only',
      split: { operator: '0.00000000', operator_ppm: 0, kept: false },
    });
    expect(await mineAndFind([])).toMatchObject({
      grade: 'tag_only',
      split: { total: '0.00000000', miner_ppm: null, operator_ppm: null },
      miner_address: null,
    });
    // Who pays the operator without the tag is not the pool; neither is another tag.
    expect(await mineAndFind(pay((await subsidy()) - share, share), '')).toBeUndefined();
    expect(await mineAndFind(pay((await subsidy()) - share, share), '/coinpoo/')).toBeUndefined();
  });

  test('is among those who find blocks, by its tag; blocks without one are counted by whom they pay', async () => {
    const share = (await subsidy()) / 100n;
    await mineAndFind(pay((await subsidy()) - share, share));
    await mineAndFind([{ value: await subsidy(), script: scriptOf(MINER) }], '/Someone Else/');
    const untagged = await mineByHand(node, [{ value: 1_000n, script: scriptOf(8) }], [], '');
    await service.waitForTip(untagged);
    const three = await get('/mining/pools?blocks=3');
    expect(three).toMatchObject({ blocks: 3, finders: 3 });
    expect(three.items).toMatchObject([
      { tag: null, address: addressOfOwner(8), blocks: 1, paid: '0.00001000', is_pool: false },
      { tag: '/Someone Else/', address: addressOfOwner(MINER), is_pool: false, paid: '25.00000000' },
      { tag: pool.tag, address: addressOfOwner(MINER), is_pool: true },
    ]);
    expect(three.items[0]).toMatchObject({ last_height: three.from_height + 2 });
    const all = await get('/mining/pools?blocks=500');
    expect(all.from_height).toBe(0);
    expect(all.items.reduce((sum: number, { blocks }: Json) => sum + blocks, 0)).toBe(all.blocks);
    expect((await service.get('/api/v1/mining/pools?blocks=501')).status).toBe(400);
  });

  test('has luck where efforts are known; blocks whose effort is not count for no mean', async () => {
    const share = (await subsidy()) / 100n;
    const hashes: string[] = [];
    for (let i = 0; i < 3; i += 1)
      hashes.push((await mineAndFind(pay((await subsidy()) - share, share))).hash);
    const height = (await get('/pool/blocks?limit=1')).items[0].height;
    await keepEfforts(precious.query<MiningHistoryTables>(), [
      { hash: hashes[0]!, height: height - 2, effort: 0.5, kind: 'reported' },
      { hash: hashes[2]!, height, effort: 1.5, kind: 'observed' },
    ]);
    const { windows, points } = await get('/pool/luck?blocks=3');
    expect(points).toMatchObject([
      { hash: hashes[0], effort: 0.5, effort_source: 'pool', luck: 2, mean_luck: 2 },
      { hash: hashes[1], effort: null, effort_source: null, luck: null, mean_luck: 2 },
      { hash: hashes[2], effort: 1.5, effort_source: 'observed', mean_luck: 1 },
    ]);
    expect(windows.map(({ known, effort, luck }: Json) => [known, effort, luck])).toEqual(
      Array(4).fill([2, 1, 1]),
    );
    expect((await get('/pool/blocks?limit=1')).items[0]).toMatchObject({
      effort: 1.5,
      effort_source: 'observed',
    });
  });

  test('is told in the statistics: blocks that keep the split, and those that only carry the tag', async () => {
    const before = (await get('/stats')).pool;
    const share = (await subsidy()) / 100n;
    await mineAndFind(pay((await subsidy()) - share, share));
    await mineAndFind([{ value: await subsidy(), script: scriptOf(MINER) }]);
    const after = (await get('/stats')).pool;
    expect(after).toMatchObject({ source: 'ckpool', stale: false, hashes_per_second: '1000.000' });
    expect(after.blocks[1].verified).toBe(before.blocks[1].verified + 1);
    expect(after.blocks[1].tagged).toBe(before.blocks[1].tagged + 2);
    expect(after.blocks[0].window).toBe(144);
    expect(after.blocks[0].share).toBeCloseTo(after.blocks[0].verified / 144, 12);
    expect(after.blocks[1].window).toBe((await get('/stats')).height + 1);
  });

  test('keeps blocks that a reorganisation replaced, and takes them back when they return', async () => {
    const share = (await subsidy()) / 100n;
    const lost = await mineTagged(pay((await subsidy()) - share, share));
    await service.waitForTip(lost);
    await waitUntilSeen(lost, false);
    await node.rpc('invalidateblock', lost);
    const other = await mineTagged([{ value: await subsidy(), script: scriptOf(MINER) }]);
    const [tip] = await node.mine(1);
    await service.waitForTip(tip!);
    await waitUntilSeen(lost, true);
    const { items } = await get('/pool/blocks?limit=2');
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ hash: lost, status: 'orphaned', confirmations: 0, grade: 'verified' }),
        expect.objectContaining({ hash: other, status: 'immature', confirmations: 2, grade: 'tag_only' }),
      ]),
    );
    // Both have one height: a page may end between them.
    const first = await get('/pool/blocks?limit=1');
    const second = await get(`/pool/blocks?limit=1&cursor=${first.next_cursor}`);
    expect([first.items[0].hash, second.items[0].hash]).toEqual([lost, other].sort());

    await node.rpc('reconsiderblock', lost);
    await node.rpc('invalidateblock', other);
    await service.waitForTip(lost);
    const back = (await get('/pool/blocks?limit=1')).items[0];
    expect(back).toMatchObject({ hash: lost, status: 'immature', confirmations: 1 });
    await waitUntilSeen(lost, false);
    const [next] = await node.mine(1);
    await service.waitForTip(next!);
    await waitUntilSeen(other, true);
    expect((await get('/pool/blocks?limit=2')).items.map((item: Json) => item.status).sort()).toEqual([
      'immature',
      'orphaned',
    ]);
  });

  test('pages through all its blocks without a gap or a repetition', async () => {
    const all = (await get('/pool/blocks?limit=100')).items.map((item: Json) => item.hash);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`/pool/blocks?limit=3${cursor && `&cursor=${cursor}`}`);
      paged.push(...page.items.map((item: Json) => item.hash));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
    expect((await service.get('/api/v1/pool/blocks?cursor=AAAA')).json.code).toBe('invalid_cursor');
  });

  test('has the same blocks in an index that never saw the reorganisation', async () => {
    const fresh = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    try {
      // What blocks took is not in the chain.
      const inChain = (json: Json) =>
        json.items
          .filter((item: Json) => item.status !== 'orphaned')
          .map(({ effort: _, effort_source: __, luck: ___, ...item }: Json) => item);
      const expected = inChain(await get('/pool/blocks?limit=100'));
      const { json } = await fresh.get('/api/v1/pool/blocks?limit=100');
      expect(inChain(json)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(5);
    } finally {
      await fresh.stop();
    }
  });

  test('has mature blocks as soon as the next block may spend them', async () => {
    const share = (await subsidy()) / 100n;
    const hash = await mineTagged(pay((await subsidy()) - share, share));
    const find = async () =>
      (await get('/pool/blocks?limit=1')).items.find((item: Json) => item.hash === hash)?.status;
    const [before] = (await node.mine(98)).slice(-1);
    await service.waitForTip(before!);
    expect(await find()).toBe('immature');
    const [after] = await node.mine(1);
    await service.waitForTip(after!);
    expect(await find()).toBe('mature');
    expect((await get('/pool')).last_block).toMatchObject({ hash, grade: 'verified' });
  });
});

test('a source that writes nothing new is stale; effort and luck of blocks are those of Miningcore', async () => {
  const share = (await subsidy()) / 100n;
  const hash = await mineTagged(pay((await subsidy()) - share, share));
  efforts = [{ hash, effort: 0.25 }];
  await writeCkpool(Math.floor(Date.now() / 1000) - 3600);
  const { port } = miningcore.address() as AddressInfo;
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-pool-'));
  const service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir },
    settings: {
      COINFRONT_POOL_SOURCE: `miningcore:http://127.0.0.1:${port}#one`,
      COINFRONT_POOL_OTHERS: `old=ckpool:${ckpool},gone=ckpool:${join(ckpool, 'nowhere')}`,
    },
  });
  try {
    await waitUntil('the pools were read', async () => {
      const { json } = await service.get('/api/v1/pool');
      return json.effort === 0.5 && json.others[0].miners === 3;
    });
    expect((await service.get('/api/v1/pool')).json.others).toMatchObject([
      { name: 'old', stale: true, miners: 3, effort: null },
      { name: 'gone', stale: true, observed_at: null, miners: null },
    ]);
    const readEffort = async () => (await service.get('/api/v1/pool/luck?blocks=1')).json.points;
    expect(await readEffort()).toMatchObject([{ hash, effort: 0.25, effort_source: 'pool' }]);
    // The pool forgets it, this service does not.
    const precious = await openBeside({ kind: 'sqlite', dataDir });
    await waitUntil('the effort is kept', async () =>
      (await findEfforts(precious.query<MiningHistoryTables>(), [hash])).has(hash),
    );
    await precious.close();
    const { json } = await service.get('/api/v1/pool/blocks?limit=2');
    expect(json.items).toMatchObject([
      { hash, effort: 0.25, luck: 4 },
      { effort: null, luck: null },
    ]);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('without a source everything but the chain is unknown, and nothing is 0', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-pool-'));
  const service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir } });
  try {
    const { json } = await service.get('/api/v1/pool');
    expect(json).toMatchObject({
      source: 'chain',
      observed_at: null,
      stale: false,
      hashrates: [],
      miners: null,
      workers: null,
      effort: null,
      best_share: null,
      shares: { accepted: null, rejected: null },
      expected_block: { seconds: null, chance_per_day: null },
      last_block: { grade: 'verified' },
      others: [],
    });
    expect((await service.get('/api/v1/pool/miners')).json).toMatchObject({ listed: null, items: [] });
    const stats = await service.get('/api/v1/stats');
    expect(stats.json.pool).toMatchObject({
      source: 'chain',
      hashes_per_second: null,
      estimated_share: null,
    });
    expect(stats.headers.get('etag')).not.toBeNull();
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
