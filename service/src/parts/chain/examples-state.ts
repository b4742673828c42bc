/** Example bodies for the OpenAPI document: the service, the network, supply, fees and releases. */

import type { ReleaseListJson } from '@coinfront/api/chain-releases.ts';
import type {
  ChainStatsJson,
  ChainStatusJson,
  FeeReportJson,
  HealthJson,
  NetworkConfigJson,
  SupplyJson,
} from '@coinfront/api/chain-state.ts';

const tip = '00000000000000000001a0c9b5c1c4f0d5f2a7f0a3e5d1b2c3a49586770f1e2d';
const chainwork = '7ac1d2b3c4e5f60718293a4b'.padStart(64, '0');
const mempool = { tx_count: 812, vsize: 403_122, fees: '0.01204511' };

const health: HealthJson = {
  status: 'ready',
  ready: true,
  problem: null,
  lag_blocks: 0,
  sync: null,
  index: { height: 812_345, tip, tip_time: '2026-03-01T12:00:00.000Z', tip_age_seconds: 41 },
  node: {
    available: true,
    height: 812_345,
    headers: 812_345,
    since: '2026-02-27T08:15:30.000Z',
    error: null,
    refused_methods: [],
  },
  version: '0.1.0',
};

const config: NetworkConfigJson = {
  id: 'coin',
  name: 'Coin',
  ticker: 'COIN',
  decimals: 8,
  chain: 'main',
  genesis_hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  uri_scheme: 'coin',
  address: { p2pkh_versions: [28], p2sh_versions: [5], bech32_hrp: 'coin' },
  wif_version: 156,
  extended_public_version: 76_067_358,
  extended_private_version: 76_066_276,
  bip44_coin_type: 1,
  message_magic: 'Coin Signed Message:\n',
  p2p_magic: 'f9beb4d9',
  p2p_port: 29_666,
  block_interval_seconds: 60,
  coinbase_maturity: 100,
  dust_limit: '0.00005460',
  max_supply: '21000000.00000000',
  auxpow: false,
  confirmations: { buried: 100, proof_final: 6 },
  payments: {
    zero_conf_max: null,
    confirmations_default: 2,
    confirmations_max: 100,
    expires_in_default: 3_600,
    expires_in_min: 60,
    expires_in_max: 2_592_000,
    wait_after_expiry: 86_400,
    currencies: ['EUR'],
  },
  limits: {
    page_default: 25,
    page_max: 100,
    scan_default: 10_000,
    scan_max: 1_000_000,
    broadcast_bytes: 1_000_000,
    requests_per_minute: 600,
  },
};

const status: ChainStatusJson = {
  index: {
    height: 812_345,
    tip,
    tip_time: '2026-03-01T12:00:00.000Z',
    median_time: '2026-03-01T11:55:02.000Z',
    chainwork,
    difficulty: 42.5,
    lag_blocks: 0,
  },
  mempool: { ...mempool, version: 90_211 },
  node: {
    available: true,
    error: null,
    since: '2026-02-27T08:15:30.000Z',
    as_of: '2026-03-01T12:00:38.000Z',
    chain: 'main',
    blocks: 812_345,
    headers: 812_345,
    initial_block_download: false,
    pruned: false,
    version: 290_000,
    subversion: '/Satoshi:29.0.0/',
    connections: 24,
    warnings: '',
  },
};

const stats: ChainStatsJson = {
  height: 812_345,
  difficulty: 42.5,
  chainwork,
  hashrate: [
    {
      blocks: 12,
      seconds: 731,
      hashes_per_second: '2996530816.204',
      block_interval_seconds: 60.916666666666664,
    },
    { blocks: 2016, seconds: null, hashes_per_second: null, block_interval_seconds: null },
  ],
  transactions: 3_511_208,
  inputs: 5_201_334,
  outputs: 7_402_119,
  utxos: 1_388_440,
  fees: '204.11930233',
  supply: { issued: '20308625.00000000', circulating: '20302101.88413001' },
  mempool,
  pool: {
    source: 'ckpool',
    observed_at: '2026-03-01T12:00:12.000Z',
    stale: false,
    hashes_per_second: '310000000.000',
    estimated_share: 0.104,
    blocks: [
      { window: 144, verified: 14, tagged: 15, share: 0.09722222222222222 },
      { window: 2016, verified: 205, tagged: 206, share: 0.10168650793650794 },
    ],
  },
};

const supply: SupplyJson = {
  height: 812_345,
  issued: '20308625.00000000',
  immature: '2475.01204511',
  matured: '20306149.98795489',
  burned: '4048.10382488',
  circulating: '20302101.88413001',
  max_supply: '21000000.00000000',
  subsidy: '25.00000000',
  next_subsidy: { height: 840_000, subsidy: '12.50000000', blocks_left: 27_655 },
};

const fee: FeeReportJson = {
  minimum: { per_vb: '1.000', per_kvb: '0.00001000', source: 'node' },
  estimates: [
    { target_blocks: 1, per_vb: '3.210', per_kvb: '0.00003210', source: 'node' },
    { target_blocks: 6, per_vb: '1.000', per_kvb: '0.00001000', source: 'minimum' },
  ],
  estimates_as_of: '2026-03-01T12:00:35.000Z',
  mempool: {
    ...mempool,
    histogram: [
      { per_vb: '5.000', vsize: 88_190, tx_count: 141 },
      { per_vb: '1.000', vsize: 314_932, tx_count: 671 },
    ],
  },
};

const releases: ReleaseListJson = {
  configured: true,
  as_of: '2026-02-20T10:00:00.000Z',
  items: [
    {
      product: 'node',
      version: '1.4.0',
      published_at: '2026-02-20T10:00:00Z',
      notes: 'Faster initial sync.',
      files: [
        {
          name: 'coin-1.4.0-linux-x86_64.tar.gz',
          url: 'https://downloads.example/coin-1.4.0-linux-x86_64.tar.gz',
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          size: 31_457_280,
          platform: 'linux-x86_64',
        },
      ],
    },
  ],
};

/** Examples of the routes about state. */
export const stateExamples = { health, config, status, stats, supply, fee, releases };
