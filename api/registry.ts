/** The node registry: claims, nodes, receipts, epochs and the preview of rewards. */

import { looksBounds } from '@coinfront/protocol/registry/looks.ts';
import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { ProofView } from './proofs.ts';
import { CheckpointText, LogAnchorView } from './signed-log.ts';

/** Bounds of what is sent. */
export const registryLimits = { endpoint: 259, address: 120, addressSignature: 16_384 } as const;

const Key = (description: string) =>
  Type.String({ pattern: '^[0-9a-fA-F]{64}$', minLength: 64, maxLength: 64, description });
const ClaimId = Type.String({
  pattern: '^clm_[A-Za-z0-9_-]{22}$',
  minLength: 26,
  maxLength: 26,
  description: 'Id of the claim.',
});
const Sequence = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const Endpoint = Type.String({
  description: '`ip:port`, `[ipv6]:port`, `host:port` or `<onion address>:port`.',
});

/** Body of POST /register. */
export const RegisterBody = Strict(
  {
    node_key: Key("The node's own Ed25519 public key, made for this: 64 hex digits. It holds no coins."),
    endpoint: Type.String({
      minLength: 9,
      maxLength: registryLimits.endpoint,
      description:
        'Where the node listens: `ip:port`, `[ipv6]:port`, `host:port`, or a Tor address of version 3 with its port where `endpoints` of /status has `onion`. Where a host name leads is asked anew for each look.',
    }),
    payout_address: Type.String({
      minLength: 1,
      maxLength: registryLimits.address,
      description: 'The address that signs the claim, and that rewards would go to.',
    }),
  },
  { title: 'RegisterRequest' },
);

/** Stages of a claim. */
export const claimStates = ['pending', 'awaiting_endpoint', 'verified', 'superseded', 'expired'] as const;
export type ClaimState = (typeof claimStates)[number];

/** Stages of a node. */
export const nodeStates = ['active', 'lapsed', 'displaced', 'removed', 'blocked'] as const;
export type NodeState = (typeof nodeStates)[number];

const ClaimStateView = OneOf(claimStates, {
  description:
    '`pending`: both signatures are awaited. `awaiting_endpoint`: signed, but another node holds the endpoint; it changes hands when the node there shows `endpoint_token`. `verified`: the node is registered. `superseded`: a later claim of the same key was verified, or the node lost its endpoint. `expired`: not signed in time.',
});
const NodeStateView = OneOf(nodeStates, {
  description:
    '`active`: it is looked at. `lapsed`: it was not seen for a week. `displaced`: another node proved to be at its endpoint. `removed`, `blocked`: by the operator. All but `blocked` can be registered again.',
});

/** Path of a claim. */
export const ClaimParams = Strict({ id: ClaimId });

/** A claim, with what has to be signed. */
export const ClaimView = Strict(
  {
    id: ClaimId,
    state: ClaimStateView,
    message: Type.String({
      description:
        'The exact text that both keys sign, as UTF-8, with line feeds and none at the end. docs/protocols/registry.md says how to make it anew and compare.',
    }),
    sign: Strict({
      address_signature: Strict({
        by: Type.String({ description: 'The payout address.' }),
        scheme: OneOf(['bip137', 'bip322'], {
          description:
            '`bip137` for P2PKH (the full form of BIP-322 is taken, too), `bip322` for all others.',
        }),
      }),
      node_signature: Strict({
        by: Key("The node's key."),
        scheme: OneOf(['ed25519'], { description: 'RFC 8032, over the UTF-8 of the text; 128 hex digits.' }),
      }),
    }),
    endpoint_token: Type.String({
      description:
        "Put it into the node's user agent (`-uacomment=`) to show that the endpoint is yours. The same for every claim of this key and address.",
    }),
    node_key: Key("The node's key."),
    endpoint: Endpoint,
    payout_address: Type.String({ description: 'As it was sent.' }),
    nonce: Hex('What makes this text unlike any other.'),
    issued_at: Time('When it was made.'),
    expires_at: Time('Until when both signatures have to be here.'),
    awaits_endpoint_until: Nullable(
      Time('Until when the node at the endpoint has to show the token. Null unless that is awaited.'),
    ),
    verified_at: Nullable(Time('When both were.')),
  },
  { title: 'NodeClaim' },
);
export type ClaimJson = Static<typeof ClaimView>;

/** Body of POST /claim/verify. */
export const VerifyClaimBody = Strict(
  {
    claim_id: ClaimId,
    address_signature: Type.String({
      minLength: 1,
      maxLength: registryLimits.addressSignature,
      description: "The payout address's signature of the text: see docs/protocols/signed-messages.md.",
    }),
    node_signature: Type.String({
      pattern: '^[0-9a-fA-F]{128}$',
      minLength: 128,
      maxLength: 128,
      description: "The node key's Ed25519 signature of the text: 128 hex digits.",
    }),
  },
  { title: 'VerifyClaimRequest' },
);

const SlotCounts = Strict(
  {
    passed: Count('Slots in which it passed.'),
    failed: Count('Slots in which it failed.'),
    void: Count('Slots that say nothing of it: the registry, its node or its network was down.'),
    uptime_ppm: Nullable(
      Count('passed / (passed + failed), parts per million, rounded down. Null when no slot was judged.'),
    ),
  },
  { title: 'SlotCounts', description: 'Slots of a node, over all its time or in one epoch.' },
);

const VerdictView = OneOf(['pass', 'fail', 'void'], {
  description: '`void` says nothing of the node, for or against it.',
});

/** A node of the registry. */
export const NodeView = Strict(
  {
    node_key: Key('Names the node.'),
    state: NodeStateView,
    endpoint: Endpoint,
    reached: Nullable(
      Type.String({
        description:
          'Where the host name of the endpoint led when it was last looked up, `ip:port`: nobody else holds that. Null for addresses, and while it is not known.',
      }),
    ),
    network: Type.String({
      description:
        'The /24 or /48 of the endpoint, or of where its name led; `onion` for all onion addresses. Nodes of one share a weight.',
    }),
    payout_address: Type.String({ description: 'Where rewards would go.' }),
    endpoint_proven: Nullable(
      Type.Boolean({
        description: 'Whether it showed its token when it last passed. Null until it passed once.',
      }),
    ),
    registered_at: Time('When its key was first registered.'),
    first_seen: Nullable(Time('End of the first slot in which it passed.')),
    last_seen: Nullable(Time('End of the last one.')),
    last_verdict: Nullable(
      Strict(
        {
          verdict: VerdictView,
          reason: Nullable(Type.String({ description: 'Why, unless it passed.' })),
          sequence: Sequence('The receipt.'),
        },
        { title: 'LastVerdict' },
      ),
    ),
    next_look_at: Time(
      'It is not looked at in slots that begin before: nodes that failed again and again are left alone for a while.',
    ),
    total: SlotCounts,
    epoch: SlotCounts,
    height_lag: Nullable(
      Count('Blocks that it was behind when its headers were last read; null when they never were.'),
    ),
    protocol_version: Nullable(Count('Of its handshake, when it last came to one.')),
    user_agent: Nullable(
      Type.String({
        maxLength: 256,
        description: 'What it called itself: anything can stand there. Printable ASCII.',
      }),
    ),
  },
  { title: 'RegistryNode' },
);
export type NodeJson = Static<typeof NodeView>;

/** Answer of POST /claim/verify. */
export const VerifiedClaimView = Strict(
  {
    claim: ClaimView,
    node: Nullable(NodeView),
  },
  { title: 'VerifiedClaim' },
);

/** Query of /nodes. */
export const NodeQuery = Strict({
  state: Type.Optional(
    OneOf([...nodeStates, 'all'], { description: '`active` unless given; `all` for every node ever.' }),
  ),
  ...pageParameters,
});

/** A page of nodes. */
export const NodeList = Strict(pageOf(NodeView), { title: 'RegistryNodeList' });

/** Path of a node. */
export const NodeParams = Strict({ node_key: Key("The node's key.") });

/** Uptime of a node by day. */
export const NodeUptimeView = Strict(
  {
    node_key: Key('The node.'),
    days: Type.Array(
      Strict(
        {
          day: Type.String({ description: 'The date, in UTC.', format: 'date' }),
          passed: Count('Slots of the day in which it passed.'),
          failed: Count('Slots in which it failed.'),
          uptime_ppm: Nullable(
            Count(
              'passed / (passed + failed), parts per million, rounded down. Null when no slot was judged: then nothing is known of the day.',
            ),
          ),
        },
        { title: 'NodeDay' },
      ),
      { maxItems: 90, description: 'The latest 90 days without a gap, oldest first; the last one is today.' },
    ),
  },
  { title: 'NodeUptime' },
);
export type NodeUptimeJson = Static<typeof NodeUptimeView>;

/** Body of POST /nodes/{node_key}/alerts. */
export const SetNodeAlertsBody = Strict(
  {
    url: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Where alerts go: https, of the public internet. Null: nowhere any more.',
      }),
    ),
    issued_at: Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.000)?Z$',
      maxLength: 24,
      description:
        'When it was signed: a whole second of the last ten minutes, later than in the request before.',
    }),
    signature: Type.String({
      pattern: '^[0-9a-fA-F]{128}$',
      minLength: 128,
      maxLength: 128,
      description: "The node key's Ed25519 signature of the text: docs/protocols/registry.md has it.",
    }),
  },
  { title: 'SetNodeAlertsRequest' },
);

/** Where alerts of a node go. */
export const NodeAlertsView = Strict(
  {
    node_key: Key('The node.'),
    url: Nullable(Type.String({ description: 'Where alerts go, normalised. Null: nowhere.' })),
    secret: Nullable(
      Type.String({
        description:
          'What alerts are signed with (Standard Webhooks). Shown in this answer only; each request makes another.',
      }),
    ),
    issued_at: Time('Of the request.'),
  },
  { title: 'NodeAlerts' },
);
export type NodeAlertsJson = Static<typeof NodeAlertsView>;

/** What owners are told of. */
export const nodeAlertTypes = [
  'alerts.set',
  'node.failed',
  'node.recovered',
  'node.ineligible',
  'node.lapsed',
  'node.displaced',
] as const;

/** Body of an alert. */
export type NodeAlertJson = {
  /** The same however often it is sent. */
  id: string;
  type: (typeof nodeAlertTypes)[number];
  created_at: string;
  /** Counts the alerts of the node, from 1. */
  sequence: number;
  data: {
    node_key: string;
    /** Where it was looked at, and the receipt: of `node.failed` and `node.recovered`. */
    endpoint?: string;
    reason?: string | null;
    receipt?: number;
    epoch?: number;
    /** Of `node.ineligible`. */
    eligibility?: string;
    uptime_ppm?: number | null;
  };
};

const VoteView = Strict(
  {
    vantage: Key('The vantage point: the key of its registry.'),
    statements: Type.Array(Hex('Hash of a statement: GET /looks/{hash}.'), {
      maxItems: 2,
      description: 'Its statements of the slot: none, one, or two that contradict each other.',
    }),
    result: VerdictView,
    reason: Nullable(
      Type.String({
        description:
          'Why, unless it passed. `vantage_missing`: no statement came in time; `vantage_silent`: it has nothing of this node; `vantage_equivocal`: there are two.',
      }),
    ),
    proven: Type.Boolean({ description: 'Whether it saw the token of the registration.' }),
  },
  { title: 'Vote', description: 'What a vantage point has to say of the node. `void` does not vote.' },
);

/** A receipt as it is hashed. */
export const ReceiptDocument = Strict(
  {
    type: OneOf(['node-receipt'], { description: 'What it is.' }),
    version: Type.Integer({ minimum: 1, maximum: 2, description: 'Of its form. 2 has `votes`.' }),
    network: Hash('Genesis block.'),
    registry_key: Key('Who signs.'),
    sequence: Sequence('Its place: counted from 0 without a gap.'),
    previous_hash: Hex('Hash of the receipt before; 64 zeros in the first.'),
    epoch: Count('Its epoch: never lower than that of the receipt before.'),
    height: Count('Best block of the registry when it was issued.'),
    block_hash: Hash('That block.'),
    issued_at: Time('When it was issued.'),
    kind: OneOf(['probe', 'outage'], {
      description:
        '`probe`: of one node. `outage`: of all nodes that were registered, for slots in which the registry did not look.',
    }),
    node_key: Nullable(Key('The node.')),
    endpoint: Nullable(
      Type.String({
        description:
          'Where it was looked at: `ip:port`, also where a host name was registered, once that led anywhere; or `<onion address>:port`.',
      }),
    ),
    payout_address: Nullable(Type.String({ description: 'As it was registered then.' })),
    slots: Strict({
      from: Time('Beginning of the first slot that is judged.'),
      to: Time('End of the last one.'),
      count: Count('How many.'),
    }),
    verdict: VerdictView,
    reason: Nullable(Type.String({ description: 'Why, unless it passed: docs/nodes.md lists the words.' })),
    attempts: Type.Array(
      Strict({
        at: Time('When.'),
        result: VerdictView,
        reason: Nullable(Type.String({ description: 'Why, unless it passed.' })),
      }),
      { maxItems: 8, description: 'The looks at the node.' },
    ),
    observed: Nullable(
      Strict({
        start_height: Nullable(Type.Integer({ description: 'What it claimed in its handshake.' })),
        lag: Nullable(Count('Blocks of our chain that it is behind.')),
        protocol_version: Nullable(Count('Of its handshake.')),
        services: Nullable(Type.String({ description: 'Bits of its services, hex.' })),
        user_agent: Nullable(Type.String({ description: 'What it called itself, as printable ASCII.' })),
        endpoint_proven: Nullable(Type.Boolean({ description: 'Whether it showed its token.' })),
        block_height: Nullable(Count('The block that it had to hand over.')),
        block_hash: Nullable(Hash('Its hash.')),
        ping_ms: Nullable(Count('Milliseconds of one ping.')),
      }),
    ),
    votes: Type.Optional(
      Type.Array(VoteView, {
        maxItems: 17,
        description:
          'Of all vantage points of the epoch and the registry itself, by their keys. Three votes or more decide by majority.',
      }),
    ),
  },
  { title: 'Receipt' },
);

const receiptFields = {
  hash: Hex('SHA-256 of the receipt as RFC 8785 (JSON Canonicalization Scheme) writes it.'),
  signature: Hex("The registry's Ed25519 signature: docs/protocols/registry.md says of what."),
};

/** A receipt with its hash and signature. */
export const ReceiptView = Strict({ receipt: ReceiptDocument, ...receiptFields }, { title: 'SignedReceipt' });
export type ReceiptJson = Static<typeof ReceiptView>;

/** Query of /receipts. */
export const ReceiptQuery = Strict({
  node_key: Type.Optional(Key('Only receipts of this node.')),
  below: Type.Optional(Sequence('Only receipts before this place in the log.')),
  ...pageParameters,
});

/** A page of receipts. */
export const ReceiptList = Strict(pageOf(ReceiptView), { title: 'ReceiptList' });

/** Path of a receipt. */
export const ReceiptParams = Strict({ sequence: Sequence('Its place in the log.') });

/** What a vantage point saw in a slot, as it is hashed. */
export const NodeLooksDocument = Strict(
  {
    type: OneOf(['node-looks'], { description: 'What it is.' }),
    version: Type.Integer({ minimum: 1, maximum: 1, description: 'Of its form.' }),
    network: Hash('Genesis block.'),
    registry_key: Key('Who signs: the vantage point.'),
    slot: Strict({ from: Time('Beginning of the slot.'), to: Time('Its end.') }),
    height: Count('Best block of the vantage point when it was issued.'),
    block_hash: Hash('That block.'),
    issued_at: Time('When it was issued.'),
    looks: Type.Array(
      Strict(
        {
          endpoint: Type.String({ maxLength: registryLimits.endpoint, description: 'Where it looked.' }),
          at: Nullable(Time('Its last look; null when there was no time for one.')),
          result: VerdictView,
          reason: Nullable(Type.String({ maxLength: 40, description: 'Why, unless it passed.' })),
          lag: Nullable(Count('Blocks of its chain that the node is behind.')),
          tokens: Type.Array(Type.String({ maxLength: 42, description: 'A token that the node showed.' }), {
            maxItems: looksBounds.tokens,
            description: 'Endpoint tokens of its user agent.',
          }),
        },
        { title: 'NodeLook' },
      ),
      { maxItems: looksBounds.looks, description: 'By endpoint; none twice.' },
    ),
  },
  { title: 'NodeLooks' },
);

/** A statement with its hash and signature. */
export const SignedLooksView = Strict(
  {
    statement: NodeLooksDocument,
    hash: Hex('SHA-256 of the statement as RFC 8785 writes it.'),
    signature: Hex("The vantage point's Ed25519 signature: docs/protocols/registry.md says of what."),
  },
  { title: 'SignedLooks' },
);
export type SignedLooksJson = Static<typeof SignedLooksView>;

/** Path of a statement. */
export const LooksParams = Strict({
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    minLength: 64,
    maxLength: 64,
    description: 'Its hash: 64 hex digits.',
  }),
});

/** A page of statements. */
export const LooksList = Strict(
  pageOf(
    Strict(
      {
        slot: Strict({ from: Time('Beginning of the slot.'), to: Time('Its end.') }),
        vantage: Key('Who signed it.'),
        hash: Hex('Its hash.'),
        received_at: Time('When it was made, or came from a peer.'),
        is_second: Type.Boolean({
          description:
            'Whether the vantage point had signed another one of the slot before: both together prove that it says two things.',
        }),
      },
      { title: 'LooksEntry' },
    ),
  ),
  { title: 'LooksList' },
);
export type LooksListJson = Static<typeof LooksList>;

/** An epoch as it is hashed once it is closed. */
export const EpochDocument = Strict(
  {
    type: OneOf(['node-epoch'], { description: 'What it is.' }),
    version: Type.Integer({
      minimum: 1,
      maximum: 4,
      description:
        'Of its form. 2 has `rules` and `slots`, 3 also `as_table`, 4 also `vantages`; an epoch of version 1 is under rules 1.',
    }),
    network: Hash('Genesis block.'),
    registry_key: Key('Who signs.'),
    epoch: Count('Its number.'),
    first_sequence: Sequence('Its first receipt.'),
    last_sequence: Sequence('Its last one.'),
    receipts: Count('How many.'),
    merkle_root: Hex('Root (RFC 6962) over the hashes of its receipts.'),
    last_hash: Hex('Hash of its last receipt.'),
    closed_at: Time('When no further receipt could come.'),
    rules: Type.Optional(Count('Rules that its rewards are shared by: docs/nodes.md has them.')),
    slots: Type.Optional(Count('Slots in which any node passed or failed.')),
    as_table: Type.Optional(
      Nullable(Hex('SHA-256 of the table of autonomous systems that it began with; null without one.')),
    ),
    vantages: Type.Optional(
      Type.Array(Key('A vantage point.'), {
        maxItems: 16,
        description: 'The vantage points that it began with, besides the registry itself.',
      }),
    ),
  },
  { title: 'Epoch' },
);

/** An epoch, open or closed. */
export const EpochView = Strict(
  {
    epoch: Count('Its number.'),
    state: OneOf(['open', 'closed'], { description: 'A closed epoch never changes.' }),
    from_height: Count('First height of it.'),
    to_height: Count('Last one.'),
    receipts: Count('Receipts so far.'),
    summary: Nullable(EpochDocument),
    hash: Nullable(Hex('SHA-256 of the summary as RFC 8785 writes it. Null while it is open.')),
    signature: Nullable(Hex("The registry's signature of it.")),
    anchor: Nullable(LogAnchorView),
  },
  { title: 'EpochView' },
);
export type EpochJson = Static<typeof EpochView>;

/** A page of epochs. */
export const EpochList = Strict(pageOf(EpochView), { title: 'EpochList' });

/** Path of an epoch. */
export const EpochParams = Strict({
  epoch: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Its number.' }),
});

/** That an epoch is in the log, and the log in the chain. */
export const EpochProofView = Strict(
  {
    epoch: EpochView,
    index: Count('Place of its entry in the log: as many epochs were closed before.'),
    path: Type.Array(Hex('A hash on the way from the entry to the root of the checkpoint, from below.')),
    checkpoint: CheckpointText,
    anchor: Nullable(ProofView),
  },
  {
    title: 'EpochProof',
    description:
      'The checkpoint is the first that was given to the chain with the epoch, and `anchor` what the chain has of its digest. Without one it is the newest, and `anchor` null.',
  },
);
export type EpochProofJson = Static<typeof EpochProofView>;

/** That a receipt is in its epoch. */
export const ReceiptProofView = Strict(
  {
    ...ReceiptView.properties,
    index: Count('Its place among the receipts of its epoch.'),
    size: Count('How many these are.'),
    path: Type.Array(Hex('A hash on the way from the leaf to the root, from below.')),
    epoch: EpochView,
  },
  { title: 'ReceiptProof' },
);

/** Query of /rewards/preview. */
export const RewardQuery = Strict({
  epoch: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'A closed epoch, or the open one; the open one unless given.',
    }),
  ),
  ...pageParameters,
});

/** Why nothing is paid. */
export const rewardReasons = ['no_pool', 'no_eligible_node'] as const;

/** Autonomous systems that a preview of rewards lists at most. */
export const maxListedSystems = 25;

/** What nodes would be paid. */
export const RewardPreview = Strict(
  {
    non_consensus: Type.Boolean({
      description: 'Always true: no rule of the chain knows of it, and it is no promise to pay.',
    }),
    is_final: Type.Boolean({ description: 'Whether the epoch is closed, so that shares cannot change.' }),
    as_of: Nullable(AsOf),
    last_sequence: Nullable(Sequence('Receipts up to this one are counted; null when there is none.')),
    epoch: Nullable(Count('The epoch; null before the first block is indexed.')),
    rules: Count('Rules of rewards that the epoch began under: docs/nodes.md has them.'),
    slots: Nullable(Count('Slots of the epoch in which any node passed or failed. Null under rules 1.')),
    as_table: Nullable(
      Hex('SHA-256 of the table of autonomous systems that the epoch began with. Null without one.'),
    ),
    minimum_uptime_ppm: Count('Uptime from which a node is eligible.'),
    minimum_judged_ppm: Count(
      'Part of these slots in which a node has to be judged to be eligible; 0 under rules 1.',
    ),
    pool: Amount('What the operator has set aside for the epoch.'),
    distributed: Amount('Sum of all amounts: the pool, or 0 with the reason.'),
    reason: Nullable(
      OneOf(rewardReasons, {
        description: '`no_pool`: nothing is set aside. `no_eligible_node`: nobody is eligible.',
      }),
    ),
    nodes: Count('Nodes that were judged in the epoch.'),
    eligible: Count('Of these, eligible.'),
    autonomous_systems: Nullable(
      Strict(
        {
          count: Count('Autonomous systems with a node that was judged in the epoch.'),
          unknown_nodes: Count('Nodes whose autonomous system is not known; they are in none of these.'),
          items: Type.Array(
            Strict({
              asn: Count('Number of the autonomous system.'),
              nodes: Count('Its nodes.'),
              eligible: Count('Of these, eligible.'),
              weight: Type.String({ pattern: '^[0-9]{1,13}$', description: 'What they weigh together.' }),
              amount: Amount('Sum of their amounts.'),
            }),
            {
              maxItems: maxListedSystems,
              description: `Those that weigh most, ${maxListedSystems} at most; then those with most nodes, then the smallest numbers.`,
            },
          ),
        },
        {
          title: 'AutonomousSystems',
          description: 'By the table that the epoch began with; null without one.',
        },
      ),
    ),
    ...pageOf(
      Strict(
        {
          node_key: Key('The node.'),
          payout_address: Type.String({
            description: 'As it was registered at its last receipt of the epoch.',
          }),
          network: Type.String({ description: 'Its /24 or /48, or `onion`.' }),
          asn: Nullable(
            Count(
              'Its autonomous system by that table, at the endpoint where it was judged last; null where it is not known.',
            ),
          ),
          slots: SlotCounts,
          proven_slots: Count('Slots passed in which it showed its token.'),
          others_at_endpoint: Strict(
            { passed: Count('Slots passed.'), failed: Count('Slots failed.') },
            {
              description:
                'What other keys did at its endpoints in the epoch, each until it was last judged there. It counts for its uptime.',
            },
          ),
          uptime_ppm: Nullable(
            Count(
              'Its uptime with that of others at its endpoints; under rules 1 its own. Null when no slot was judged.',
            ),
          ),
          eligibility: OneOf(
            ['eligible', 'uptime_below_minimum', 'too_few_slots', 'not_judged', 'endpoint_not_proven'],
            { description: 'Whether it is, or why not.' },
          ),
          nodes_in_network: Count('Eligible nodes of its network; 0 when it is not eligible.'),
          nodes_in_as: Count(
            'Eligible nodes of its autonomous system; 0 when that is not known, and under rules 1 to 3.',
          ),
          nodes_of_address: Count('Eligible nodes of its payout address.'),
          weight: Type.String({
            pattern: '^[0-9]{1,13}$',
            description:
              '10^12 * proven slots / slots of the epoch, less where its network, its autonomous system or its address would weigh more than 10^12 together; rounded down. 0 when it is not eligible.',
          }),
          amount: Amount('Its part of the pool, by largest remainder.'),
        },
        { title: 'RewardShare' },
      ),
      { description: 'In the order of their keys.' },
    ),
  },
  { title: 'RewardPreview' },
);
export type RewardPreviewJson = Static<typeof RewardPreview>;

/** Answer of /status. */
export const RegistryStatusView = Strict(
  {
    non_consensus: Type.Boolean({ description: 'Always true: the registry changes nothing of the chain.' }),
    network: Hash('Genesis block.'),
    registry_key: Nullable(
      Key("The operator's Ed25519 key, which signs receipts. Null until the prober ran once."),
    ),
    is_open: Type.Boolean({ description: 'Whether nodes can be registered.' }),
    rules: Strict(
      {
        slot_seconds: Count('Length of a slot: each node is judged once in it.'),
        epoch_blocks: Count('Length of an epoch.'),
        max_height_lag: Count('Blocks that a node may be behind.'),
        reward_rules: Count('Rules of rewards of epochs that begin now: docs/nodes.md has them.'),
        minimum_uptime_ppm: Count('Uptime from which a node is eligible.'),
        minimum_judged_ppm: Count(
          "Part of an epoch's slots in which a node has to be judged to be eligible.",
        ),
        network_weight: Strict(
          {
            at_most: Type.String({
              pattern: '^[0-9]{1,13}$',
              description:
                'What all nodes of one network weigh together at most: as much as one node that passed in every slot.',
            }),
            ipv4_prefix: Count('Bits of an IPv4 network.'),
            ipv6_prefix: Count('Bits of an IPv6 network.'),
            as_table: Nullable(
              Hex(
                'SHA-256 of the table of autonomous systems of epochs that begin now: the nodes of each have the same bound. Null without one.',
              ),
            ),
            onion: OneOf(['one_network'], { description: 'All onion addresses together are one network.' }),
          },
          {
            title: 'NetworkWeight',
            description: 'The bound of the weights of a network; that of a payout address is the same.',
          },
        ),
        lapse_seconds: Count('A node that was not seen for so long is not looked at any more.'),
        ports: Nullable(
          Type.Array(Count('A port that nodes listen on.'), {
            description: 'Null: any from 1024 on.',
          }),
        ),
        endpoints: Type.Array(
          OneOf(['address', 'host_name', 'onion'], { description: 'A kind of endpoints.' }),
          { description: 'Kinds of endpoints that can be registered.' },
        ),
        endpoint_proof: OneOf(['optional', 'required'], {
          description:
            '`required`: /nodes lists only nodes that showed their token when they last passed. Eligible is no other in either case.',
        }),
      },
      { title: 'RegistryRules' },
    ),
    nodes: Strict(
      {
        active: Count('Looked at.'),
        lapsed: Count('Not seen for long.'),
        displaced: Count('Their endpoint is that of others.'),
        removed: Count('By the operator, blocked ones included.'),
      },
      { title: 'NodeCounts' },
    ),
    open_claims: Count('Claims that await signatures.'),
    receipts: Count('Receipts in the log.'),
    last_receipt: Nullable(
      Strict(
        {
          sequence: Sequence('Its place.'),
          hash: Hex('Its hash: it stands for the whole log.'),
          issued_at: Time('When it was issued.'),
        },
        { title: 'LastReceipt' },
      ),
    ),
    epoch: Nullable(
      Strict(
        {
          epoch: Count('The open epoch.'),
          from_height: Count('Its first height.'),
          to_height: Count('Its last one.'),
          height: Count('The tip.'),
        },
        { title: 'OpenEpoch' },
      ),
    ),
    vantages: Type.Array(
      Strict(
        {
          vantage: Key('Its key.'),
          last_slot: Nullable(Time('End of the last slot of which its statement is here.')),
        },
        { title: 'VantageView' },
      ),
      {
        maxItems: 16,
        description:
          'Vantage points that the operator counts besides this service: docs/nodes.md has the rules.',
      },
    ),
    prober: Strict(
      {
        state: OneOf(['running', 'stopped', 'never_ran'], {
          description: 'While it is stopped all slots are void.',
        }),
        last_run_at: Nullable(Time('When it last did anything.')),
        slots_until: Nullable(Time('End of the last slot that it has judged.')),
        own_node: Nullable(
          OneOf(['ready', 'unavailable', 'behind'], {
            description: "The registry's own node and index, when the prober last asked.",
          }),
        ),
      },
      { title: 'Prober' },
    ),
  },
  { title: 'RegistryStatus' },
);
export type RegistryStatusJson = Static<typeof RegistryStatusView>;
