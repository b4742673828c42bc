/** Examples of the documents: of a made chain, like all others. */

const asOf = {
  height: 812_345,
  hash: '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054',
};
const block = {
  height: 812_340,
  block_hash: '0000000000000000000196b4bbc6f9d5fdc5e3b8b1f7f9eae3d8c1b0a9f8e7d6',
};
const txid = '5b1fd3f1cd1e4e2d8a6b4e6d4c5b0bb1a28b7bd6e0ad2f1d1b9bb3a0f9b4c0de';
const intentId = 'VI-7Q2M9K4T0XV8B3ND';
const secret = '9f2c71d05be84a36c1f0d7e8429b6a53e0c4187d2fb965a3084ec7f15db2906a';
const tag = '3fa94c07d1be52886e10b7c2f5a9d364';
const script = '00208c2574892063f995fdf756bce07f46c1a5193e54cd52837ed91e32008ccf41ac';
const address = 'rltc1q3sjhfzfqv0uetl0h267wql6xcxj3j0j5e4fgxlkerceqprx0gxkq0nyn6g';

const contributor = {
  id: 'VC-4J8ZQ0T6M1RW',
  nickname: 'Ada',
  public_display: true,
  created_at: '2026-01-10T09:00:00.000Z',
};
const display = { id: contributor.id, name: 'Ada' };
const intent = {
  id: intentId,
  state: 'open' as const,
  requested_amount: '1.00000000',
  exact_amount: '1.00004213',
  tag,
  created_at: '2026-01-10T09:05:00.000Z',
  expires_at: '2026-01-11T09:05:00.000Z',
  closes_at: '2026-02-10T09:05:00.000Z',
};
const contribution = {
  sequence: 41,
  txid,
  vout: 0,
  amount: '1.00004213',
  intent_id: intentId,
  assigned_by: null,
  late: false,
  ...block,
  confirmations: 6,
  verified: true,
};

const seal = {
  previous_hash: '8b1a9953c4611296a827abf8c47804d7e3c2a1f09d8e7b6c5a4f3e2d1c0b9a87',
  attribution: 'c0ffee5d41402abc4b2a76b9719d911017c592ae7d793037a0761857110ce82f',
  hash: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
  service_key: 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',
  signature:
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
};
const entry = {
  sequence: 41,
  kind: 'contribution' as const,
  amount: '1.00004213',
  balance: '112.40000000',
  txid,
  vout: 0,
  ...block,
  block_time: '2026-01-10T10:00:00.000Z',
  recorded_at: '2026-01-10T10:00:02.000Z',
  confirmations: 6,
  state: 'verified' as const,
  contributor: display,
  late: false,
  reason: null,
  reverses: null,
  reversed_by: null,
  assigned_by: null,
  refers_to: null,
  purpose: null,
  payee: null,
  note: null,
  seal,
};

export const treasuryExamples = {
  health: {
    status: 'ok' as const,
    version: '1.0.2',
    ledger_height: 812_345,
    index_height: 812_345,
    node_height: 812_345,
    account_near_end: false,
  },
  series: {
    as_of: asOf,
    points: [
      {
        height: 0,
        time: '2025-08-01T00:00:00.000Z',
        balance: '0.00000000',
        received: '0.00000000',
        spent: '0.00000000',
      },
      {
        height: 812_340,
        time: '2026-03-01T11:54:00.000Z',
        balance: '1.00004213',
        received: '1.50004213',
        spent: '0.50000000',
      },
      {
        height: 812_345,
        time: '2026-03-01T12:00:00.000Z',
        balance: '1.00004213',
        received: '1.50004213',
        spent: '0.50000000',
      },
    ],
  },
  newContributorBody: { nickname: 'Ada', public_display: true },
  newContributor: { ...contributor, contributor_secret: secret },
  secretBody: { contributor_secret: secret },
  profileBody: { contributor_secret: secret, nickname: 'Ada', public_display: false },
  profile: { ...contributor, public_display: false, hidden_by_operator: false },
  me: {
    ...contributor,
    hidden_by_operator: false,
    as_of: asOf,
    verified_total: '1.00004213',
    confirming_total: '0.00000000',
    contributions: [contribution],
    intents: [{ ...intent, state: 'verified' as const }],
  },
  newIntentBody: { contributor_secret: secret, amount: '1' },
  newIntent: {
    ...intent,
    address,
    script,
    carrier: { script: `6a1456545231${tag}`, payload: `56545231${tag}` },
    payment_uri: `coin:${address}?amount=1.00004213&label=Regtest%20Coin%20treasury&reference=${intentId}`,
    confirmations_required: 6,
    transaction: null,
    transaction_refused: null,
  },
  verifyBody: { txid, intent_id: intentId },
  verification: {
    state: 'verified' as const,
    txid,
    vouts: [0],
    amount: '1.00004213',
    matched_by: 'exact_amount' as const,
    intent_id: intentId,
    late: false,
    ...block,
    confirmations: 6,
    confirmations_required: 6,
  },
  ledger: {
    as_of: asOf,
    items: [entry],
    next_cursor: null,
  },
  claimBody: {
    contributor_secret: secret,
    ...{ txid, vout: 0, address: 'rltc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j2nmv4xs' },
    signature:
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  },
  claimed: {
    txid,
    vout: 0,
    amount: '1.00004213',
    contributor_id: contributor.id,
    state: 'accepted' as const,
  },
  receiptBody: { contributor_secret: secret, sequence: 41 },
  receipt: {
    network: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
    entry,
    opening: {
      contributor_id: contributor.id,
      intent_id: intentId,
      salt: 'b3d1a7f0c2e4968855aa1177cc33ee9900ff66dd44bb2288e1d5c9a7f3b10264',
    },
  },
  leaderboard: {
    as_of: asOf,
    contributors: 1,
    verified_total: '1.00004213',
    items: [
      {
        rank: 1,
        contributor: display,
        verified_total: '1.00004213',
        contributions: 1,
        first_verified_height: 812_340,
      },
    ],
    next_cursor: null,
  },
  status: {
    address,
    script,
    other_addresses: [],
    marker: '56545231',
    confirmations_required: 6,
    minimum_amount: '0.00005460',
    suffixes: 9_999,
    intent_grace_seconds: 2_592_000,
    indexed: asOf,
    network: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
    head: { sequence: 41, hash: seal.hash, service_key: seal.service_key, signature: seal.signature },
    epoch_blocks: 576,
    contributors: 3,
    reconciliation: {
      as_of: asOf,
      verified_in: '1.00004213',
      confirming_in: '0.00000000',
      unattributed_in: '0.50000000',
      coinbase_in: '125.00000000',
      change_in: '10.89990000',
      out: '24.99990000',
      fees: '0.00010000',
      ledger_total: '112.39994213',
      utxo_total: '112.39994213',
      difference: '0.00000000',
      immature_coinbase: '62.50000000',
      unexplained: [],
    },
    unreconciled_reason: null,
  },
  checkpoint:
    'treasury-ledger/ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c\n1\n' +
    '+n1FWahJ2m2nLpNMPsGRHRJ7q/32eWECufTqo7b7qK4=\n\n' +
    '\u2014 treasury-ledger/ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c ' +
    'LFXc8a+SbI8WB//ja1tlXUbbOHte2N//H97r2NVtTRnoUFqXJScpmWgGqNyPQvwDTP+tgB+EzTu4xr/7XHHgp5iJJQ4=\n',
  growth: {
    from: 2,
    to: 3,
    path: ['306e7d2bd1fff00ede275829cc0f9b5c17f5bc92ef5ba794e35cc0b72f0e4751'],
  },
};
