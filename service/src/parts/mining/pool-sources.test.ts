import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCkpoolSource, parseCkpoolStatus, parseCkpoolUser } from './ckpool-source.ts';
import { listReportedEfforts } from './luck/luck-rules.ts';
import { parseMiningcore, parseMiningcoreMiner } from './miningcore-source.ts';
import { maxListedMiners } from './pool-source.ts';
import { parsePublicPool, parsePublicPoolClient } from './public-pool-source.ts';
import { parseSourceJson } from './source-values.ts';

/** In the format of ckpool, with made-up figures. */
const statusLines = [
  '{"runtime": 86520, "lastupdate": 1772366412, "Users": 3, "Workers": 5, "Idle": 1, "Disconnected": 0}',
  '{"hashrate1m": "1.2T", "hashrate5m": "1.18T", "hashrate15m": "1.1T", "hashrate1hr": "980G", "hashrate6hr": "912G", "hashrate1d": "700G", "hashrate7d": "99.5G"}',
  '{"diff": 1.5, "accepted": 1234567, "rejected": 12, "bestshare": 7654321, "SPS1m": 1.2, "SPS5m": 1.1, "SPS15m": 1.0, "SPS1h": 0.9}',
];
const userFile = JSON.stringify({
  hashrate1m: '400G',
  hashrate5m: '410G',
  hashrate1hr: '390G',
  hashrate1d: '300G',
  hashrate7d: '50G',
  lastshare: 1772366400,
  workers: 2,
  shares: 5_000_000,
  bestshare: 12345.678,
  bestever: 99999,
  authorised: 1772000000,
  worker: [{ workername: 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k.rig', hashrate1m: '400G' }],
});
const notAborted = new AbortController().signal;

describe('ckpool', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coinfront-ckpool-'));
    await mkdir(join(folder, 'pool'));
    await mkdir(join(folder, 'users'));
    await writeFile(join(folder, 'pool', 'pool.status'), `${statusLines.join('\n')}\n`);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const addUser = (name: string, text: string) => writeFile(join(folder, 'users', name), text);
  const read = () => createCkpoolSource(folder).read(notAborted);

  test('its three lines and its users are read', async () => {
    await addUser('rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k', userFile);
    const reading = await read();
    expect(reading).toMatchObject({
      writtenAtMs: 1_772_366_412_000,
      miners: 3,
      workers: 5,
      shareDifficulty: 1_234_567,
      rejectedShares: 12,
      bestShare: 7_654_321,
      isListComplete: true,
    });
    expect(reading.hashrates).toHaveLength(7);
    expect(reading.hashrates[3]).toEqual({ windowSeconds: 3600, milliHashesPerSecond: 980_000_000_000_000n });
    expect(reading.minerList).toEqual([
      expect.objectContaining({
        address: 'rltc1qw5…c5xw7k',
        workers: 2,
        bestShare: 12345.678,
        lastShareAtMs: 1_772_366_400_000,
      }),
    ]);
    expect(reading.minerList![0]!.hashrates.map(({ windowSeconds }) => windowSeconds)).toEqual([
      60, 300, 3600, 86_400, 604_800,
    ]);
  });

  test('one of its users has machines and accepted shares; it counts no rejects and owes nothing', async () => {
    await addUser('rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k', userFile);
    const source = createCkpoolSource(folder);
    expect(await source.readMiner('rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k', notAborted)).toMatchObject({
      workers: 2,
      acceptedShares: 5_000_000,
      rejectedShares: undefined,
      pendingBalance: undefined,
      payments: undefined,
      workerList: [{ name: 'rig', lastShareAtMs: undefined }],
    });
    for (const name of ['nobody', '../pool/pool.status', '..', ''])
      await expect(source.readMiner(name, notAborted), name).rejects.toThrow();
  });

  test('a user whose file is not written any more has no machines now', async () => {
    await addUser('rltc1qgone', userFile);
    const long = new Date(Date.now() - 3_600_000);
    await utimes(join(folder, 'users', 'rltc1qgone'), long, long);
    expect(await createCkpoolSource(folder).readMiner('rltc1qgone', notAborted)).toMatchObject({
      workers: undefined,
      workerList: undefined,
      acceptedShares: 5_000_000,
    });
  });

  test('what does not say its age is as old as its file', async () => {
    const long = new Date(Date.now() - 86_400_000);
    const status = join(folder, 'pool', 'pool.status');
    await writeFile(status, statusLines.slice(1).join('\n'));
    await utimes(status, long, long);
    expect((await read()).writtenAtMs).toBe(long.getTime());
  });

  test('a user whose file is not written any more does nothing that is known', async () => {
    await addUser('rltc1qhere', userFile);
    await addUser('rltc1qgone', userFile);
    const long = new Date(Date.now() - 3_600_000);
    await utimes(join(folder, 'users', 'rltc1qgone'), long, long);
    const { minerList } = await read();
    expect(minerList!.map(({ address, workers }) => [address, workers])).toEqual([
      ['rltc1qhere', 2],
      ['rltc1qgone', undefined],
    ]);
    expect(minerList![1]!.hashrates.map(({ milliHashesPerSecond }) => milliHashesPerSecond)).toEqual(
      Array(5).fill(undefined),
    );
    // What it did once it has done.
    expect(minerList![1]).toMatchObject({ bestShare: 12345.678, lastShareAtMs: 1_772_366_400_000 });
    // A pool that stands still is stale as a whole, and says so itself.
    await utimes(join(folder, 'pool', 'pool.status'), long, long);
    expect((await read()).minerList!.map(({ workers }) => workers)).toEqual([2, 2]);
  });

  test('a status that is torn at any byte never gives a wrong figure', () => {
    const whole = statusLines.join('\n');
    const full = parseCkpoolStatus(whole);
    for (let length = 0; length < whole.length; length++) {
      let torn: ReturnType<typeof parseCkpoolStatus>;
      try {
        torn = parseCkpoolStatus(whole.slice(0, length));
      } catch {
        expect(length).toBeLessThan(statusLines[0]!.length);
        continue;
      }
      for (const name of ['writtenAtMs', 'miners', 'workers', 'shareDifficulty', 'bestShare'] as const)
        expect([undefined, full[name]]).toContain(torn[name]);
      for (const [i, rate] of torn.hashrates.entries())
        expect([undefined, full.hashrates[i]!.milliHashesPerSecond]).toContain(rate.milliHashesPerSecond);
    }
  });

  test('a torn file of a user is a miner of whom nothing is known', () => {
    expect(parseCkpoolUser('rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k', userFile.slice(0, 40))).toMatchObject({
      address: 'rltc1qw5…c5xw7k',
      workers: undefined,
      bestShare: undefined,
      lastShareAtMs: undefined,
    });
  });

  test('an older format without the third line leaves what it lacks unknown', () => {
    const old = parseCkpoolStatus(
      `{"runtime": 5, "Users": 1, "Workers": 1}\n{"hashrate1m": "0"}\n{"SPS1m": 0}`,
    );
    expect(old).toMatchObject({
      miners: 1,
      shareDifficulty: undefined,
      rejectedShares: undefined,
      bestShare: undefined,
      writtenAtMs: undefined,
    });
    expect(old.hashrates[0]!.milliHashesPerSecond).toBe(0n);
    expect(old.hashrates[1]!.milliHashesPerSecond).toBeUndefined();
  });

  test('values of other kinds are unknown', () => {
    const hostile = parseCkpoolStatus(
      '{"lastupdate": -1, "Users": "3", "Workers": 1.5}\n{"hashrate1m": 5, "hashrate5m": null}\n{"accepted": -4, "rejected": "12", "bestshare": 1e400}\n[[1]]\nnull',
    );
    expect(hostile).toMatchObject({
      writtenAtMs: undefined,
      miners: undefined,
      workers: undefined,
      shareDifficulty: undefined,
      rejectedShares: undefined,
      bestShare: undefined,
    });
    expect(hostile.hashrates.every(({ milliHashesPerSecond }) => milliHashesPerSecond === undefined)).toBe(
      true,
    );
  });

  test('a missing or empty status is a failure, missing users are an unknown list', async () => {
    await rm(join(folder, 'users'), { recursive: true });
    expect(await read()).toMatchObject({ minerList: undefined, isListComplete: false, miners: 3 });
    await writeFile(join(folder, 'pool', 'pool.status'), '');
    await expect(read()).rejects.toThrow();
    await rm(join(folder, 'pool'), { recursive: true });
    await expect(read()).rejects.toThrow();
  });

  test('links, pipes, folders, giant files and odd names are no users', async () => {
    await addUser('rltc1qgood', userFile);
    await addUser('.hidden', userFile);
    await addUser('<script>', userFile);
    await addUser('a'.repeat(200), userFile);
    await addUser('giant', 'x'.repeat(300_000));
    await symlink('/etc/passwd', join(folder, 'users', 'link'));
    await mkdir(join(folder, 'users', 'folder'));
    execFileSync('mkfifo', [join(folder, 'users', 'pipe')]);
    expect((await read()).minerList!.map(({ address }) => address)).toEqual(['rltc1qgood']);
  });
});

test('of more users than are listed the list is not complete', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-ckpool-'));
  try {
    await mkdir(join(folder, 'pool'));
    await mkdir(join(folder, 'users'));
    await writeFile(join(folder, 'pool', 'pool.status'), statusLines.join('\n'));
    for (let i = 0; i <= maxListedMiners; i++) writeFileSync(join(folder, 'users', `user${i}`), '');
    const reading = await createCkpoolSource(folder).read(notAborted);
    expect([reading.minerList?.length, reading.isListComplete]).toEqual([maxListedMiners, false]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe('Miningcore', () => {
  const hash = 'ab'.repeat(32);
  const pool = {
    pool: {
      id: 'ltc1',
      coin: { type: 'LTC' },
      poolFeePercent: 1,
      poolStats: { connectedMiners: 4, poolHashrate: 1_500_000_000.5, sharesPerSecond: 2 },
      networkStats: { networkHashrate: 5e12, networkDifficulty: 42 },
      topMiners: [],
      totalPaid: 1.5,
      totalBlocks: 9,
      poolEffort: 0.75,
    },
  };
  const miners = [
    { miner: 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k', hashrate: 5, sharesPerSecond: 1 },
    { miner: 'rltc1qother', hashrate: 700, sharesPerSecond: 1 },
  ];
  const blocks = [
    {
      ...{ poolId: 'ltc1', blockHeight: 5, status: 'confirmed', effort: 0.5, hash, miner: 'rltc1qother' },
      ...{ reward: 12.5, created: '2026-03-01T11:00:00' },
    },
    { poolId: 'ltc1', blockHeight: 6, status: 'pending', effort: 0, hash: 'cd'.repeat(32) },
    { poolId: 'ltc1', blockHeight: 'high', status: '<b>', hash: 'zz', miner: '<script>' },
  ];
  const payments = [
    {
      ...{ coin: 'LTC', address: 'rltc1qother', amount: 1.5, created: '2026-03-01T11:00:00' },
      transactionConfirmationData: hash,
    },
    { address: '<script>', amount: 2, created: 'x', transactionConfirmationData: 'none' },
    { address: 'rltc1qother', amount: 'much' },
  ];

  test('a list with rows that cannot be read is not complete', () => {
    const odd = [...miners, { miner: '<script>', hashrate: 1 }, 'row'];
    const reading = parseMiningcore(pool, { miners: odd, blocks });
    expect([reading.minerList?.length, reading.isListComplete]).toEqual([2, false]);
  });

  test('its pool, miners and blocks are read; addresses are whole, as it publishes them', () => {
    const reading = parseMiningcore(pool, { miners, blocks, payments });
    expect(reading).toMatchObject({ miners: 4, workers: undefined, effort: 0.75, isListComplete: true });
    expect(reading.hashrates).toEqual([
      { windowSeconds: undefined, milliHashesPerSecond: 1_500_000_000_500n },
    ]);
    expect(reading.minerList!.map(({ address }) => address)).toEqual([
      'rltc1qother',
      'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k',
    ]);
    expect(reading.blocks).toEqual([
      {
        height: 5,
        hash,
        foundAtMs: Date.UTC(2026, 2, 1, 11),
        state: 'confirmed',
        reward: 12.5,
        effort: 0.5,
        finder: 'rltc1qother',
      },
      expect.objectContaining({ height: 6, state: 'pending', effort: undefined, reward: undefined }),
      expect.objectContaining({ height: undefined, hash: undefined, state: undefined, finder: undefined }),
    ]);
    expect([...listReportedEfforts(reading)]).toEqual([[hash, 0.5]]);
    expect(reading.payments).toEqual([
      { atMs: Date.UTC(2026, 2, 1, 11), address: 'rltc1qother', amount: 1.5, txid: hash },
      { atMs: undefined, address: undefined, amount: 2, txid: undefined },
    ]);
  });

  test('one of its miners has machines, a balance and payments, as lists of either version have them', () => {
    const txid = 'ef'.repeat(32);
    const stats = {
      pendingShares: 12.5,
      pendingBalance: 0.25,
      totalPaid: 7.125,
      todayPaid: 0,
      lastPayment: '2026-03-01T11:00:00.1234567Z',
      performance: {
        created: '2026-03-01T12:00:00',
        workers: { rig1: { hashrate: 5, sharesPerSecond: 1 }, '': { hashrate: 7, sharesPerSecond: 1 } },
      },
    };
    const payments = [
      { coin: 'LTC', amount: 1.5, created: '2026-03-01T11:00:00', transactionConfirmationData: txid },
      { amount: 'much', created: 5 },
      { amount: 2, created: 'x', transactionConfirmationData: 'none' },
    ];
    const expected = {
      hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: 12_000n }],
      workers: 2,
      pendingShares: 12.5,
      pendingBalance: 0.25,
      paid: 7.125,
      paidToday: 0,
      lastPaymentAtMs: Date.UTC(2026, 2, 1, 11, 0, 0, 123),
      acceptedShares: undefined,
      rejectedShares: undefined,
      workerList: [{ name: undefined }, { name: 'rig1' }],
      payments: [
        { atMs: Date.UTC(2026, 2, 1, 11), amount: 1.5, txid },
        { atMs: undefined, amount: 2, txid: undefined },
      ],
    };
    expect(parseMiningcoreMiner(stats, payments)).toMatchObject(expected);
    expect(parseMiningcoreMiner(stats, { pageCount: 1, result: payments })).toMatchObject(expected);
    expect(parseMiningcoreMiner({ pendingShares: 1 }, undefined)).toMatchObject({
      hashrates: [{ milliHashesPerSecond: undefined }],
      workers: undefined,
      payments: undefined,
      pendingBalance: undefined,
      workerList: undefined,
    });
    for (const answer of [null, [], {}, 'x']) expect(() => parseMiningcoreMiner(answer, [])).toThrow();
  });

  test('missing answers are unknown', () => {
    expect(parseMiningcore(pool, {})).toMatchObject({
      minerList: undefined,
      blocks: undefined,
      payments: undefined,
      isListComplete: false,
      miners: 4,
    });
  });

  test('values of other kinds are unknown, and what is no pool is refused', () => {
    const odd = parseMiningcore(
      { pool: { id: 'x', poolStats: [], poolEffort: 'NaN' } },
      {
        miners: [null, 5, { miner: '<b>', hashrate: 1 }, { miner: 'good', hashrate: 'much' }],
        blocks: { hash },
        payments: 'all',
      },
    );
    expect([odd.blocks, odd.payments]).toEqual([undefined, undefined]);
    expect(odd).toMatchObject({ miners: undefined, effort: undefined });
    expect(odd.minerList).toEqual([
      expect.objectContaining({
        address: 'good',
        hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: undefined }],
      }),
    ]);
    for (const answer of [null, [], 'pool', {}, { pool: null }, { pool: [] }])
      expect(() => parseMiningcore(answer, {})).toThrow();
  });
});

describe('public-pool', () => {
  test('its answers are read; it has no list of miners', () => {
    const pool = {
      totalHashRate: 5e12,
      blockHeight: 900_000,
      totalMiners: 12,
      blocksFound: [{ height: 1 }],
      fee: 0,
    };
    const info = {
      highScores: [{ bestDifficulty: 77.5 }, { bestDifficulty: '1234.5' }, { bestDifficulty: null }],
      uptime: 'x',
    };
    expect(parsePublicPool(pool, info)).toMatchObject({
      hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: 5_000_000_000_000_000n }],
      workers: 12,
      miners: undefined,
      bestShare: 1234.5,
      effort: undefined,
      minerList: undefined,
    });
  });

  test('one of its clients has machines, whose hashrates are its own when all of them are known', () => {
    const worker = (name: string, hashRate: unknown, lastSeen: string) => ({
      sessionId: 'a1',
      name,
      bestDifficulty: '12.50',
      hashRate,
      startTime: lastSeen,
      lastSeen,
    });
    const client = {
      bestDifficulty: '99.5',
      workersCount: 2,
      workers: [
        worker('bitaxe', 5e11, '2026-03-01T12:00:00.000Z'),
        worker('<b>', '7.5', '2026-03-01T12:05:00.000Z'),
      ],
    };
    expect(parsePublicPoolClient(client)).toMatchObject({
      hashrates: [{ milliHashesPerSecond: 500_000_000_007_500n }],
      workers: 2,
      bestShare: 99.5,
      lastShareAtMs: Date.UTC(2026, 2, 1, 12, 5),
      workerList: [{ name: 'bitaxe', bestShare: 12.5 }, { name: '<b>' }],
      pendingBalance: undefined,
    });
    const unknown = { ...client, workers: [worker('a', 1, 'x'), worker('b', 'much', 'x')] };
    expect(parsePublicPoolClient(unknown).hashrates[0]!.milliHashesPerSecond).toBeUndefined();
    for (const answer of [null, [], {}, 'x', { workers: 5 }])
      expect(() => parsePublicPoolClient(answer)).toThrow();
  });

  test('values of other kinds are unknown, and what is no pool is refused', () => {
    expect(parsePublicPool({ totalHashRate: null, totalMiners: '12' }, { highScores: {} })).toMatchObject({
      hashrates: [{ milliHashesPerSecond: undefined }],
      workers: undefined,
      bestShare: undefined,
    });
    for (const answer of [null, [], {}, 'x', { clients: 5 }])
      expect(() => parsePublicPool(answer, undefined)).toThrow();
  });
});

test('JSON that is nested too deep, or is none, is not parsed; brackets in texts do not count', () => {
  expect(parseSourceJson('['.repeat(100_000))).toBeUndefined();
  expect(parseSourceJson(`${'['.repeat(17)}${']'.repeat(17)}`)).toBeUndefined();
  expect(parseSourceJson(`${'['.repeat(16)}${']'.repeat(16)}`)).toBeDefined();
  expect(parseSourceJson(JSON.stringify({ a: '[['.repeat(50), b: '\\"[' }))).toBeDefined();
  expect(parseSourceJson('{')).toBeUndefined();
});
