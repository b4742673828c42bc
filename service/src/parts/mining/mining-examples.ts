/** Examples for the document. */

import type { MinerListJson, PoolBlockJson, PoolJson } from '@coinfront/api/mining.ts';
import type { HashrateSeriesJson, MinerDetailJson } from '@coinfront/api/mining-history.ts';
import type { FinderListJson, PoolLuckJson } from '@coinfront/api/mining-luck.ts';
import type { PoolReportJson } from '@coinfront/api/mining-reports.ts';

const hash = '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054';
const asOf = { height: 812_345, hash };
const source = { source: 'ckpool', observed_at: '2026-03-01T12:00:12.000Z', stale: false } as const;
const unknownSource = { source: 'public-pool', observed_at: null, stale: true } as const;

const pool: PoolJson = {
  as_of: asOf,
  ...source,
  tag: '/coinpool/',
  payout_policy: {
    kind: 'solo',
    miner_percent: 99,
    operator_percent: 1,
    operator_scripts: ['0014751e76e8199196d454941c45d1b3a323f1433bd6'],
  },
  stratum: { host: 'pool.coin.example', port: 3933, url: 'stratum+tcp://pool.coin.example:3933' },
  hashrates: [
    { window_seconds: 60, hashes_per_second: '305000000.000' },
    { window_seconds: 3600, hashes_per_second: '310000000.000' },
  ],
  miners: 41,
  workers: 96,
  effort: 0.42,
  best_share: 38.2,
  shares: { accepted: 17.9, rejected: 0.1 },
  expected_block: { seconds: 588.8, chance_per_day: 1, memoryless: true, window_seconds: 3600 },
  last_block: { height: 812_339, hash, time: '2026-03-01T11:53:02.000Z', grade: 'verified' },
  network: {
    difficulty: 42.5,
    hashrate: [
      { blocks: 12, seconds: 731, hashes_per_second: '2996530816.204', block_interval_seconds: 60.9 },
      { blocks: 2016, seconds: null, hashes_per_second: null, block_interval_seconds: null },
    ],
  },
  others: [
    {
      name: 'home',
      ...unknownSource,
      hashrates: [],
      miners: null,
      workers: null,
      effort: null,
      best_share: null,
      shares: { accepted: null, rejected: null },
    },
  ],
};

const block: PoolBlockJson = {
  height: 812_339,
  hash,
  time: '2026-03-01T11:53:02.000Z',
  grade: 'verified',
  status: 'immature',
  confirmations: 7,
  split: {
    total: '25.00310000',
    miner: '24.75306900',
    operator: '0.25003100',
    miner_ppm: 990_000,
    operator_ppm: 10_000,
    kept: true,
  },
  miner_address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  effort: 0.8,
  effort_source: 'pool',
  luck: 1.25,
};

const miners: MinerListJson = {
  ...source,
  listed: 41,
  complete: true,
  items: [
    {
      address: 'bc1qw508…v8f3t4',
      hashrates: [{ window_seconds: 3600, hashes_per_second: '52000000.000' }],
      workers: 3,
      best_share: 38.2,
      last_share_at: '2026-03-01T11:59:58.000Z',
    },
  ],
  next_cursor: null,
};

const miner: MinerDetailJson = {
  ...source,
  asked_at: '2026-03-01T12:00:20.000Z',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  listed: true,
  hashrates: [{ window_seconds: 3600, hashes_per_second: '52000000.000' }],
  workers: 1,
  best_share: 38.2,
  last_share_at: '2026-03-01T11:59:58.000Z',
  shares: { accepted: 5_120_000, rejected: null, pending: null },
  balance: { pending: null, paid: null, paid_today: null, last_payment_at: null },
  payments: null,
  worker_list: [
    {
      name: 'rig1',
      hashrates: [{ window_seconds: 3600, hashes_per_second: '52000000.000' }],
      best_share: 38.2,
      last_share_at: '2026-03-01T11:59:58.000Z',
    },
  ],
};

const series: HashrateSeriesJson = {
  from: '2026-02-28T12:05:00.000Z',
  to: '2026-03-01T12:05:00.000Z',
  step_seconds: 300,
  points: [
    { time: '2026-03-01T11:50:00.000Z', hashes_per_second: '305000000.000' },
    { time: '2026-03-01T12:00:00.000Z', hashes_per_second: '310000000.000' },
  ],
};

const luck: PoolLuckJson = {
  as_of: asOf,
  windows: [10, 50, 100, 500].map((blocks) => ({
    blocks: Math.min(blocks, 41),
    known: 1,
    effort: 0.8,
    luck: 1.25,
  })),
  points: [
    {
      height: 812_339,
      hash,
      time: '2026-03-01T11:53:02.000Z',
      effort: 0.8,
      effort_source: 'pool',
      luck: 1.25,
      mean_luck: 1.25,
    },
  ],
};

const finders: FinderListJson = {
  as_of: asOf,
  blocks: 144,
  from_height: 812_202,
  finders: 2,
  items: [
    {
      tag: '/coinpool/',
      address: null,
      is_pool: true,
      blocks: 90,
      share: 0.625,
      paid: '2250.10000000',
      last_height: 812_339,
      last_time: '2026-03-01T11:53:02.000Z',
    },
    {
      tag: null,
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      is_pool: false,
      blocks: 54,
      share: 0.375,
      paid: '1350.05000000',
      last_height: 812_345,
      last_time: '2026-03-01T11:59:30.000Z',
    },
  ],
};

const report: PoolReportJson = {
  source: 'miningcore',
  observed_at: '2026-03-01T12:04:30.000Z',
  stale: false,
  blocks: [
    {
      height: 812_339,
      hash,
      time: '2026-03-01T11:53:05.000Z',
      state: 'pending',
      reward: '25.00000000',
      effort: 0.8,
      finder: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      confirmations: 7,
    },
  ],
  payments: [
    {
      time: '2026-03-01T11:00:00.000Z',
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      amount: '1.50000000',
      txid: 'ab'.repeat(32),
    },
  ],
};

export const miningExamples = {
  report,
  luck,
  finders,
  pool,
  miners,
  miner,
  series,
  blocks: { as_of: asOf, items: [block], next_cursor: null },
};
