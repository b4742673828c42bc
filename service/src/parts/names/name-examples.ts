/** Examples of the document: of a made chain, like all others. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { hashRecordsDocument, writeRecordsDocument } from '@coinfront/protocol/names/name-records.ts';

const hash = '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054';
/** The document whose hash stands beside it. */
const records = { email: 'alice@alice.example', url: 'https://alice.example/' };
const recordsDocument = writeRecordsDocument('alice.coin', records);
const recordsHash = bytesToHex(hashRecordsDocument(recordsDocument));
const as_of = { height: 812_345, hash };
const at = (height: number, time: string, estimated: boolean) => ({ height, time, estimated });
const owner = {
  address: 'rltc1q0s3zg5pr0svjcfmfy24pzp48cjgedyeevk46ek',
  script: '00147c222450237c192c276922aa1106a7c491969339',
};
const expiry = at(862_400, '2026-12-23T12:10:00.000Z', true);
const register = {
  txid: '5b1fd3f1cd1e4e2d8a6b4e6d4c5b0bb1a28b7bd6e0ad2f1d1b9bb3a0f9b4c0de',
  height: 809_840,
  position: 3,
  time: '2026-01-10T10:00:00.000Z',
  kind: 'register' as const,
  name: 'alice.coin',
  valid: true,
  reason: null,
  reason_text: null,
  sender: owner,
  commitment: 'b4a1c7d3e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90',
  new_owner: null,
  periods: 1,
  expiry: 862_400,
  paid: '0.10000000',
};
const hashes = {
  events_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  chain_hash: '9b1d7c2a5e8f4036b7c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f7081',
  rules_id: '1c5f0d9e8b7a69584736251403f2e1d0c9b8a7968574635241302f1e0d9c8b7a',
};
const noOperation = { txid: null, sender: null, owner: null, periods: null, paid: null, expiry: null };
const listed = {
  name: 'alice.coin',
  state: 'registered' as const,
  resolves: true,
  owner,
  registered_by_owner: true,
  expiry,
};
const cost = { per_period: '0.10000000', premium: '0.00000000', total: '0.10000000' };

export const nameExamples = {
  series: {
    as_of,
    points: [
      { height: 800_000, time: '2025-08-01T00:00:00.000Z', registered: 0, names: 0 },
      { height: 811_020, time: '2026-02-20T10:10:00.000Z', registered: 1_181, names: 1_204 },
      { height: 812_345, time: '2026-03-01T12:00:00.000Z', registered: 1_180, names: 1_204 },
    ],
  },
  status: {
    as_of,
    active: true,
    activation_height: 800_000,
    marker: '564e5331',
    ...hashes,
    state_hash: {
      height: 812_000,
      hash: '4036b7c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70819b1d7c2a5e8f',
    },
    replicas: [],
    totals: {
      names: 1_204,
      registered: 1_180,
      operations: 3_911,
      invalid_operations: 27,
      paid: '233.10000000',
    },
    rules: {
      tlds: ['coin'],
      min_label_length: 3,
      max_label_length: 32,
      commit_maturity_blocks: 12,
      commit_lifetime_blocks: 1_008,
      period_blocks: 52_560,
      max_periods: 10,
      grace_blocks: 12_960,
      premium_blocks: 3_024,
      premium_start: '100.00000000',
      reverse_activation_height: 800_000,
      records_activation_height: 800_000,
      block_interval_seconds: 600,
    },
    fee: {
      script: '00204ae81572f06e1b88fd5ced7a1a000945432e83e1551e6f721ee9c00b8cc33260',
      address: 'rltc1qft5p2uhsdcdc3l2ua4ap5qqfg4pjaqlp250x7us7a8qqhrxrxfsqwsa8jh',
    },
    prices: [{ from_height: 800_000, by_length: [{ max_length: 32, per_period: '0.10000000' }] }],
  },
  hashes: { as_of, height: 812_000, block_hash: hash, ...hashes, state_hash: null },
  state: {
    as_of,
    rules_id: hashes.rules_id,
    chain_hash: hashes.chain_hash,
    items: [
      {
        kind: 1,
        key: '616c6963652e636f696e',
        value: `${'5e'.repeat(32)}f0b631c0d134`,
        script: owner.script,
      },
    ],
    next_cursor: null,
  },
  availability: {
    name: 'alice.coin',
    as_of,
    height: 812_346,
    available: false,
    status: 'registered' as const,
    available_from: at(875_360, '2027-03-23T12:10:00.000Z', true),
    expiry,
    cost,
    premium_decay: {
      starts: at(875_360, '2027-03-23T12:10:00.000Z', true),
      start_amount: '100.00000000',
      ends: at(878_384, '2027-04-13T12:10:00.000Z', true),
    },
    if_committed_now: null,
  },
  resolution: { name: 'alice.coin', as_of, ...owner, expiry },
  name: {
    name: 'alice.coin',
    as_of,
    state: 'registered' as const,
    resolves: true,
    owner,
    registered_by_owner: true,
    is_reverse: true,
    records_hash: recordsHash,
    registered: at(809_840, '2026-01-10T10:00:00.000Z', false),
    expiry,
    grace_ends: at(875_360, '2027-03-23T12:10:00.000Z', true),
    premium_ends: at(878_384, '2027-04-13T12:10:00.000Z', true),
    history: { items: [register], next_cursor: null },
  },
  owned: {
    address: owner.address,
    as_of,
    items: [
      {
        name: 'alice.coin',
        state: 'registered' as const,
        resolves: true,
        registered_by_owner: true,
        is_reverse: true,
        expiry,
      },
    ],
    next_cursor: null,
  },
  timeline: {
    name: 'alice.coin',
    as_of,
    items: [
      { kind: 'lapsed' as const, at: at(878_384, '2027-04-13T12:10:00.000Z', true), ...noOperation },
      { kind: 'released' as const, at: at(875_360, '2027-03-23T12:10:00.000Z', true), ...noOperation },
      { kind: 'expired' as const, at: expiry, ...noOperation },
      {
        kind: 'registered' as const,
        at: at(809_840, '2026-01-10T10:00:00.000Z', false),
        txid: register.txid,
        sender: owner,
        owner,
        periods: 1,
        paid: '0.10000000',
        expiry: 862_400,
      },
    ],
    next_cursor: null,
  },
  records: {
    name: 'alice.coin',
    as_of,
    state: 'known' as const,
    hash: recordsHash,
    document: recordsDocument,
    records,
  },
  reverse: { as_of, address: owner.address, name: 'alice.coin', reason: null, expiry },
  reverses: {
    as_of,
    items: [{ address: owner.address, name: 'alice.coin', reason: null, expiry }],
  },
  list: { as_of, items: [listed], next_cursor: null },
  expiring: {
    as_of,
    ends: 'expiry' as const,
    last_height: 864_905,
    items: [{ ...listed, ends_at: expiry }],
    next_cursor: null,
  },
  operations: { as_of, items: [register], next_cursor: null },
};
