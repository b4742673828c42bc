/** Examples of the document: they belong together, and the signatures are right ones of keys that everybody knows. */

import type {
  ClaimJson,
  EpochJson,
  EpochProofJson,
  NodeAlertsJson,
  NodeJson,
  NodeUptimeJson,
  ReceiptJson,
  RegistryStatusJson,
  RewardPreviewJson,
  SignedLooksJson,
} from '@coinfront/api/registry.ts';

const claim: ClaimJson = {
  id: 'clm_5a1yXlqS6Gq3n0w1b2c3dA',
  state: 'pending',
  sign: {
    address_signature: {
      by: 'bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5',
      scheme: 'bip322',
    },
    node_signature: {
      by: '8a875fff1eb38451577acd5afee405456568dd7c89e090863a0557bc7af49f17',
      scheme: 'ed25519',
    },
  },
  endpoint_token: 'nodeproof-dd6c6993ef6e6637aefaacb0ca1e1dd8',
  node_key: '8a875fff1eb38451577acd5afee405456568dd7c89e090863a0557bc7af49f17',
  endpoint: '203.0.113.7:29666',
  payout_address: 'bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5',
  nonce: '59857136ec33dd104486724a3382ef561dad39d5c8f564543d8a80fea6b49253',
  issued_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T13:00:00.000Z',
  awaits_endpoint_until: null,
  verified_at: null,
  message: [
    'coin.example asks the owner of a node to confirm its registration.',
    'Signing this text moves no coins.',
    '',
    'Purpose: node registry claim, version 1',
    'Domain: coin.example',
    'Registry: 6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1',
    'Network: 000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    'Node key: 8a875fff1eb38451577acd5afee405456568dd7c89e090863a0557bc7af49f17',
    'Endpoint: 203.0.113.7:29666',
    'Payout address: bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5',
    'Nonce: 59857136ec33dd104486724a3382ef561dad39d5c8f564543d8a80fea6b49253',
    'Issued: 2026-11-20T12:00:00Z',
    'Expires: 2026-11-20T13:00:00Z',
  ].join('\n'),
};

const node: NodeJson = {
  node_key: '8a875fff1eb38451577acd5afee405456568dd7c89e090863a0557bc7af49f17',
  state: 'active',
  endpoint: '203.0.113.7:29666',
  reached: null,
  network: '203.0.113.0/24',
  payout_address: 'bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5',
  endpoint_proven: true,
  registered_at: '2026-11-20T12:03:10.512Z',
  first_seen: '2026-11-20T12:20:00.000Z',
  last_seen: '2026-11-21T12:10:00.000Z',
  last_verdict: {
    verdict: 'pass',
    reason: null,
    sequence: 143,
  },
  next_look_at: '2026-11-21T12:10:00.000Z',
  total: {
    passed: 143,
    failed: 1,
    void: 0,
    uptime_ppm: 993055,
  },
  epoch: {
    passed: 72,
    failed: 0,
    void: 0,
    uptime_ppm: 1000000,
  },
  height_lag: 0,
  protocol_version: 70016,
  user_agent: '/Coin:1.4.0(nodeproof-dd6c6993ef6e6637aefaacb0ca1e1dd8)/',
};

const receipt: ReceiptJson = {
  receipt: {
    type: 'node-receipt',
    version: 1,
    network: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    registry_key: '6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1',
    sequence: 1,
    previous_hash: '338ef2c7fa2493e6254fb508de3fa36fc9d8d1dbd4535e45bb2fc1e1ecbda313',
    epoch: 5641,
    height: 812346,
    block_hash: '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054',
    issued_at: '2026-11-20T12:30:00.112Z',
    kind: 'probe',
    node_key: '8a875fff1eb38451577acd5afee405456568dd7c89e090863a0557bc7af49f17',
    endpoint: '203.0.113.7:29666',
    payout_address: 'bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5',
    slots: {
      from: '2026-11-20T12:20:00.000Z',
      to: '2026-11-20T12:30:00.000Z',
      count: 1,
    },
    verdict: 'pass',
    reason: null,
    attempts: [
      {
        at: '2026-11-20T12:24:08.522Z',
        result: 'pass',
        reason: null,
      },
    ],
    observed: {
      start_height: 812346,
      lag: 0,
      protocol_version: 70016,
      services: '409',
      user_agent: '/Coin:1.4.0(nodeproof-dd6c6993ef6e6637aefaacb0ca1e1dd8)/',
      endpoint_proven: true,
      block_height: 402890,
      block_hash: '0000000000000000000318a3ef4a4d0e9f0d5d5ed5b6b0a2b8f1c4d7e9a6b3c2',
      ping_ms: 38,
    },
  },
  hash: '954be4b3fe969d8fc949d0aaf8097cfd2a2da3a288d20a9aa474ecdfffdaf220',
  signature:
    '173245f58c89106f1780775a679be5ec0bf56f7435b0314954159ae27d1512c462cab93d194d44a17f48eb37486951c955b707860a6b16ef50bac11d29aca201',
};

const epoch: EpochJson = {
  epoch: 5641,
  state: 'closed',
  from_height: 812304,
  to_height: 812447,
  receipts: 3,
  summary: {
    type: 'node-epoch',
    version: 1,
    network: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    registry_key: '6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1',
    epoch: 5641,
    first_sequence: 0,
    last_sequence: 2,
    receipts: 3,
    merkle_root: 'c7d80d8ea7fdf28b433994c86e7320f6f569f3dca565e344fcd6d5c4d0a531f7',
    last_hash: '7f435d4436addd48741002dbec64f77222ce762ccbfed7edacb75890185e7e9f',
    closed_at: '2026-11-20T23:50:00.204Z',
  },
  hash: '06ec986a69ed8c7a5c5bafbdae5d97e08dfb7cd84b61927e895c50559f229e3b',
  signature:
    '4d67333db5b869cd0966cbcefb688cd8cdf200b0e9d8e6334bebf37ede7f76e8129f40bedde8c31917ddd770787d7ffb46cc7de8691050a75f2fd18faee3c90d',
  anchor: null,
};

const openEpoch: EpochJson = {
  epoch: 5642,
  state: 'open',
  from_height: 812_448,
  to_height: 812_591,
  receipts: 41,
  summary: null,
  hash: null,
  signature: null,
  anchor: null,
};

const looks: SignedLooksJson = {
  statement: {
    type: 'node-looks',
    version: 1,
    network: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    registry_key: '6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1',
    slot: {
      from: '2026-11-20T12:20:00.000Z',
      to: '2026-11-20T12:30:00.000Z',
    },
    height: 812346,
    block_hash: '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054',
    issued_at: '2026-11-20T12:30:00.112Z',
    looks: [
      {
        endpoint: '203.0.113.7:29666',
        at: '2026-11-20T12:24:08.522Z',
        result: 'pass',
        reason: null,
        lag: 0,
        tokens: ['nodeproof-dd6c6993ef6e6637aefaacb0ca1e1dd8'],
      },
    ],
  },
  hash: '3e451ce7c24e66bf3e673ccc3f74fc5143f9bb55f1f42ee1e568daecdb3e260e',
  signature:
    '39c5f6512f40de75da2814ddc41565e35d0fdadc5bc1be2a3254e3893673d9a10b580f521e20ddb9f3f7ea95f606293838e518c565f3d4c6a3b29bdaf2880306',
};

const status: RegistryStatusJson = {
  non_consensus: true,
  network: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  registry_key: '6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1',
  is_open: true,
  rules: {
    slot_seconds: 600,
    epoch_blocks: 144,
    max_height_lag: 4,
    reward_rules: 4,
    minimum_uptime_ppm: 920000,
    minimum_judged_ppm: 250000,
    network_weight: {
      at_most: '1000000000000',
      ipv4_prefix: 24,
      ipv6_prefix: 48,
      as_table: null,
      onion: 'one_network',
    },
    lapse_seconds: 604800,
    ports: [29666],
    endpoints: ['address', 'host_name'],
    endpoint_proof: 'optional',
  },
  nodes: {
    active: 1,
    lapsed: 0,
    displaced: 0,
    removed: 0,
  },
  open_claims: 0,
  receipts: 3,
  last_receipt: {
    sequence: 2,
    hash: '7f435d4436addd48741002dbec64f77222ce762ccbfed7edacb75890185e7e9f',
    issued_at: '2026-11-20T12:40:00.112Z',
  },
  epoch: {
    epoch: 5641,
    from_height: 812304,
    to_height: 812447,
    height: 812347,
  },
  vantages: [],
  prober: {
    state: 'running',
    last_run_at: '2026-11-20T12:41:03.118Z',
    slots_until: '2026-11-20T12:40:00.000Z',
    own_node: 'ready',
  },
};

const rewards: RewardPreviewJson = {
  non_consensus: true,
  is_final: true,
  as_of: {
    height: 812451,
    hash: '00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054',
  },
  last_sequence: 2,
  epoch: 5641,
  rules: 4,
  slots: 3,
  as_table: '5a9c0b8c6d0f1c9d3a4e7b21f06d8c3e9b7a5f4d2c1e0f9a8b7c6d5e4f3a2b1c',
  minimum_uptime_ppm: 920000,
  minimum_judged_ppm: 250000,
  pool: '25.00000000',
  distributed: '25.00000000',
  reason: null,
  nodes: 1,
  eligible: 1,
  autonomous_systems: {
    count: 1,
    unknown_nodes: 0,
    items: [{ asn: 64500, nodes: 1, eligible: 1, weight: '1000000000000', amount: '25.00000000' }],
  },
  items: [
    {
      node_key: '8a875fff1eb38451577acd5afee405456568dd7c89e090863a0557bc7af49f17',
      payout_address: 'bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5',
      network: '203.0.113.0/24',
      asn: 64500,
      slots: {
        passed: 3,
        failed: 0,
        void: 0,
        uptime_ppm: 1000000,
      },
      proven_slots: 3,
      others_at_endpoint: { passed: 0, failed: 0 },
      uptime_ppm: 1000000,
      eligibility: 'eligible',
      nodes_in_network: 1,
      nodes_in_as: 1,
      nodes_of_address: 1,
      weight: '1000000000000',
      amount: '25.00000000',
    },
  ],
  next_cursor: null,
};

/** A node's way from its claim to a proven receipt. */
export const registryExamples = {
  registration: { node_key: claim.node_key, endpoint: claim.endpoint, payout_address: claim.payout_address },
  claim,
  signed: {
    claim_id: 'clm_5a1yXlqS6Gq3n0w1b2c3dA',
    address_signature:
      'smpAkgwRQIhANs4Z0ww/FBq7fqsm/Jy9SR/BVVyf9SKNwjvMT1RGVrWAiBX9gENjBsblbQHZCA+0v81aS4FJpjCkwgXzyHRLfvVyQEhApicC3bLVjlx/cm+8x7AbDVg8ySdbunl2DxXYlWW4F9v',
    node_signature:
      '74a1892b24d5e87cfefc293d99985b52aca2dea48b38462f5ec3e1724fdf3c6de189a301c2eeed4dde293dc2728d326a3063ee500671eb342a93058e31849d04',
  },
  verifiedClaim: { ...claim, state: 'verified', verified_at: '2026-11-20T12:03:10.512Z' } satisfies ClaimJson,
  node,
  uptime: {
    node_key: node.node_key,
    days: [
      { day: '2026-11-20', passed: 0, failed: 0, uptime_ppm: null },
      { day: '2026-11-21', passed: 143, failed: 1, uptime_ppm: 993_055 },
    ],
  } satisfies NodeUptimeJson,
  alertRequest: {
    url: 'https://owner.example/alerts',
    issued_at: '2026-11-20T12:30:00Z',
    signature:
      'd1d846eb6a4bece2bab5e09c9e9e8fce7a3afd7b43eaf1c1b75980628919ddd0ecf04f80381e6abd33b368b015bd744ba8b16cfe0e4c00accd7373f349526008',
  },
  alerts: {
    node_key: node.node_key,
    url: 'https://owner.example/alerts',
    secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    issued_at: '2026-11-20T12:30:00.000Z',
  } satisfies NodeAlertsJson,
  receipt,
  proof: {
    ...receipt,
    index: 1,
    size: 3,
    path: [
      '306e7d2bd1fff00ede275829cc0f9b5c17f5bc92ef5ba794e35cc0b72f0e4751',
      'dba790a6b062c20734d6729a64ab594f260827508fee8969c8cf4c8eebc7f92e',
    ],
    epoch,
  },
  epochs: [openEpoch, epoch],
  epochProof: {
    epoch,
    index: 0,
    path: [],
    checkpoint:
      'node-registry/6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1\n1\n' +
      'jaLvv+NyIwcmgJX/fS6E47suBa3oaroF6spXYcQ0eAk=\n\n' +
      '\u2014 node-registry/6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1 ' +
      'dCqYGaeexqPLKubYZDWWgDMiDWV65WevoVIRQgqKpVwThIfwb6FZBGJVxYCy2AAKaCROWcLWCtSk/yKYLgqlOzCqwgw=\n',
    anchor: null,
  } satisfies EpochProofJson,
  growth: {
    from: 6,
    to: 9,
    path: [
      'dd0379d83ac7f164e7eea30cdcefb57508254c48f766afccd3d976365e328ccc',
      'ff0e32c20ff65b97ac10b3b2677b872aa3d5a0287d9457acba47e57cf4a4a73f',
      '9799f307517ef517c2205df9b67762bf34756b20099fb7dfcce76bcebd273b2e',
      '94910e42789c1962450908451ff9b1c050a7d6cde7d4d2d4e97f2f7509694b9f',
    ],
  },
  looks,
  looksEntry: {
    slot: looks.statement.slot,
    vantage: looks.statement.registry_key,
    hash: looks.hash,
    received_at: looks.statement.issued_at,
    is_second: false,
  },
  status,
  rewards,
};
