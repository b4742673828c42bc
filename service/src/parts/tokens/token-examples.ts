/** Examples of the documents: of one made token, like those of its metadata. */

import type { OwnerJson, TokenEventJson, TokenJson } from '@coinfront/api/tokens.ts';
import { metadataExamples } from './metadata/metadata-examples.ts';

const tokenId = metadataExamples.challenge.token_id;
const tip = {
  height: 812_345,
  hash: '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054',
};
const issuer: OwnerJson = {
  address: metadataExamples.challenge.issuer,
  script: '0014a3c6b1ee4a4ecfb2ef27380517c7441f5242c8aa'.slice(0, 44),
};
const holder: OwnerJson = {
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  script: '0014751e76e8199196d454941c45d1b3a323f1433bd6',
};
const block = '0000000000000000000196b4bbc6f9d5fdc5e3b8b1f7f9eae3d8c1b0a9f8e7d6';
const txid = '5b1fd3f1cd1e4e2d8a6b4e6d4c5b0bb1a28b7bd6e0ad2f1d1b9bb3a0f9b4c0de';
const chainHash = '9b1d7c2a5e8f4036b7c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f7081';
const rulesId = '1c5f0d9e8b7a69584736251403f2e1d0c9b8a7968574635241302f1e0d9c8b7a';
const eventsHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const token: TokenJson = {
  token_id: tokenId,
  ticker: 'BERTH',
  decimals: 2,
  issuer,
  supply: {
    circulating: '1990.00',
    minted: '2000.00',
    burned: '10.00',
    premine: '1000.00',
    cap: '5000.00',
    mintable: '3000.00',
  },
  minting_open: true,
  holders: 2,
  events: 5,
  transfers: 2,
  created: { txid, height: 812_300, position: 3, time: '2026-01-10T10:00:00.000Z' },
  metadata_hash: null,
  metadata_hash_matches: null,
  metadata: null,
};

const transfer: TokenEventJson = {
  kind: 'TRANSFER',
  valid: true,
  reason: null,
  token_id: tokenId,
  ticker: 'BERTH',
  txid: '9b1d7c2a5e8f4036b7c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f7081',
  height: 812_340,
  position: 7,
  block_hash: block,
  time: '2026-01-10T16:40:00.000Z',
  confirmations: 6,
  sender: issuer,
  amount: '990.00',
  recipients: [{ ...holder, amount: '990.00' }],
  closes_minting: false,
};

export const tokenExamples = {
  tip,
  token,
  address: holder.address!,
  list: { as_of: tip, items: [token], next_cursor: null },
  series: {
    as_of: tip,
    points: [
      { height: 0, time: '2025-08-01T00:00:00.000Z', tokens: 0 },
      { height: 800_000, time: '2026-02-20T10:10:00.000Z', tokens: 1 },
      { height: 812_345, time: '2026-03-01T12:00:00.000Z', tokens: 1 },
    ],
  },
  supplySeries: {
    as_of: tip,
    token_id: tokenId,
    decimals: 2,
    points: [
      {
        height: 812_300,
        time: '2026-01-10T10:10:00.000Z',
        circulating: '1000.00',
        minted: '1000.00',
        burned: '0.00',
        holders: 1,
      },
      {
        height: 812_345,
        time: '2026-01-10T17:30:00.000Z',
        circulating: '1990.00',
        minted: '2000.00',
        burned: '10.00',
        holders: 2,
      },
    ],
  },
  distribution: {
    as_of: tip,
    token_id: tokenId,
    holders: 2,
    circulating: '1990.00',
    largest: [
      { size: 1, holders: 1, balance: '1000.00', share_ppm: 502_512 },
      { size: 10, holders: 2, balance: '1990.00', share_ppm: 1_000_000 },
      { size: 50, holders: 2, balance: '1990.00', share_ppm: 1_000_000 },
      { size: 100, holders: 2, balance: '1990.00', share_ppm: 1_000_000 },
    ],
  },
  holders: {
    as_of: tip,
    token_id: tokenId,
    holders: 2,
    items: [
      { ...issuer, balance: '1000.00', share_ppm: 502_512 },
      { ...holder, balance: '990.00', share_ppm: 497_487 },
    ],
    next_cursor: null,
  },
  events: { as_of: tip, items: [transfer], next_cursor: null },
  addressTokens: {
    as_of: tip,
    balances_at: tip,
    ...holder,
    items: [
      {
        token_id: tokenId,
        ticker: 'BERTH',
        decimals: 2,
        balance: '990.00',
        is_issuer: false,
        mintable: null,
      },
    ],
    next_cursor: null,
  },
  stats: {
    as_of: tip,
    tokens: 12,
    holders: 340,
    events: 2_210,
    events_by_kind: { CREATE: 12, MINT: 48, TRANSFER: 2_100, BURN: 50, SWEEP: 3 },
    invalid_operations: 31,
  },
  status: {
    as_of: tip,
    indexer: { state: 'ready' as const, lag_blocks: 0 },
    marker: '56544b31',
    active: true,
    activation_height: 800_000,
    sweep_activation_height: 810_000,
    genesis_hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    rules_id: rulesId,
    events_hash: eventsHash,
    chain_hash: chainHash,
    state: { height: 812_000, hash: '4f1d3b5a79c8e6d2b0a4f3e1c5d7b9a80f2e4d6c8b1a3958d7e6f5c4b3a29180' },
    create_fee: { amount: '1.00000000', ...holder },
    replicas: [
      {
        url: 'https://other.example',
        state: 'agrees' as const,
        height: 812_345,
        chain_hash: chainHash,
        compared_height: 812_345,
        first_difference: null,
        same_block: null,
        checked_at: '2026-01-10T17:31:02.000Z',
      },
    ],
  },
  state: {
    as_of: tip,
    rules_id: rulesId,
    chain_hash: chainHash,
    items: [{ kind: 2, key: tokenId + '5e'.repeat(32), value: 'b8860c', script: holder.script }],
    next_cursor: null,
  },
  preflight: {
    as_of: tip,
    next_height: 812_346,
    chain_hash: chainHash,
    txid: transfer.txid,
    wtxid: txid,
    ok: true,
    valid: true,
    reason: null,
    checks: [
      { name: 'parse', result: 'passed', reason: null, detail: 'A transaction.' },
      {
        name: 'create_fee',
        result: 'skipped',
        reason: null,
        detail: 'Only a CREATE pays one.',
      },
      { name: 'mempool', result: 'passed', reason: null, detail: 'The node would take it.' },
    ],
    operation: { kind: 'TRANSFER', token_id: tokenId, ticker: 'BERTH', sender: issuer, amount: '990.00' },
    effect: {
      minted: { before: '2000.00', after: '2000.00' },
      burned: { before: '10.00', after: '10.00' },
      minting_open: true,
      holders: { before: 1, after: 2 },
      balances: [
        { ...issuer, before: '1990.00', after: '1000.00' },
        { ...holder, before: '0.00', after: '990.00' },
      ],
    },
    sweep: null,
    coins: [
      { ...issuer, spent: '0.01000000', received: '0.00980000' },
      { ...holder, spent: '0.00000000', received: '0.00010000' },
    ],
    pending: { operations: 0, debits: '0.00', available: '1990.00', complete: true },
    create_fee: null,
  },
  hashes: {
    as_of: tip,
    height: 812_340,
    block_hash: block,
    events_hash: eventsHash,
    chain_hash: chainHash,
    state_hash: null,
    rules_id: rulesId,
  },
};
