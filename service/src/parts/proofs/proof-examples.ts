/** Examples of the documents: of a made chain, like all others. */

const anchor = {
  txid: '5b1fd3f1cd1e4e2d8a6b4e6d4c5b0bb1a28b7bd6e0ad2f1d1b9bb3a0f9b4c0de',
  vout: 0,
  height: 812_340,
  position: 3,
  block_hash: '0000000000000000000196b4bbc6f9d5fdc5e3b8b1f7f9eae3d8c1b0a9f8e7d6',
  block_time: '2026-01-10T10:00:00.000Z',
  median_time: '2026-01-10T09:05:00.000Z',
  confirmations: 6,
};
const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const payload = `56504631${sha256}`;
const script = `6a24${payload}`;
const proof = {
  sha256,
  state: 'final' as const,
  script,
  anchors: 1,
  primary: {
    ...anchor,
    tx: null,
    branch: ['b4a1c7d3e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90'],
    merkle_root: '9c1185a5c5e9fc54612808977ee8f548b2258d31a6e7e0c1d2c3b4a5968778695'.slice(0, 64),
    header: '00'.repeat(80),
    ambiguous: false,
  },
  pending: [],
  further: [],
  next_cursor: null,
};

const as_of = {
  height: 812_345,
  hash: '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054',
};
const hashes = {
  events_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  chain_hash: '9b1d7c2a5e8f4036b7c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f7081',
  rules_id: '1c5f0d9e8b7a69584736251403f2e1d0c9b8a7968574635241302f1e0d9c8b7a',
};

export const proofExamples = {
  status: {
    as_of,
    marker: '56504631',
    height: 812_345,
    tip: '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054',
    anchors: 1_204,
    ...hashes,
    replicas: [],
    state_hash: {
      height: 812_000,
      hash: '4036b7c1d2e3f405162738495a6b7c8d9e0f1a2b3c4d5e6f70819b1d7c2a5e8f',
    },
    final_confirmations: 6,
    wallet: { enabled: true, daily_limit: 100, daily_limit_per_client: 5, left_today: 93 },
    calendar: {
      enabled: true,
      interval_seconds: 150,
      daily_limit: 1_000_000,
      daily_limit_per_client: 100_000,
      left_today: 987_654,
      waiting: 210,
      opentimestamps: 'https://coin.example/ots/',
    },
  },
  hashes: { as_of, height: 812_000, block_hash: as_of.hash, ...hashes, state_hash: null },
  state: {
    as_of,
    rules_id: hashes.rules_id,
    chain_hash: hashes.chain_hash,
    items: [{ kind: 1, key: sha256, value: `b4ca31${'0300'}${'ab'.repeat(32)}`, script: null }],
    next_cursor: null,
  },
  proof,
  recent: { items: [{ sha256, ...anchor }], next_cursor: null },
  anchor: {
    sha256,
    result: 'script' as const,
    reason: 'no_wallet' as const,
    script,
    payload,
    txid: null,
    proof: null,
    leaf: null,
  },
  taken: { sha256, accepted_at: '2026-01-10T09:57:31.000Z', batch: null },
  leaf: {
    sha256,
    state: 'final' as const,
    accepted_at: null,
    leaf: {
      batch: 4_210,
      index: 1,
      size: 2,
      path: ['96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'],
      root: 'f2a1c3d4e5b60718293a4b5c6d7e8f901a2b3c4d5e6f708192a3b4c5d6e7f809',
      sealed_at: '2026-01-10T09:58:00.000Z',
    },
    primary: proof.primary,
    pending: [],
  },
};
