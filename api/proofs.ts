/** Proofs of existence: schemas of anchors, look-ups and requests to anchor. */

import Type, { type Static } from 'typebox';
import { AsOf, Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';
import { NextCursor, pageOf } from './paging.ts';
import { LatestState, ReplicaList, RulesId } from './protocol-hashes.ts';

/** A SHA-256 digest in a path: 64 hex digits, read as they stand, not reversed. */
export const DigestParameter = Type.String({
  pattern: '^[0-9a-fA-F]{64}$',
  minLength: 64,
  maxLength: 64,
  description: 'SHA-256 digest of the file: exactly 64 hex digits.',
});

export const Digest = Hex('SHA-256 digest, as sha256sum prints it.');

/** Path of one digest. */
export const DigestParams = Strict({ sha256: DigestParameter });

/** States of a digest. */
export const proofStates = ['unknown', 'mempool', 'confirmed', 'final'] as const;
export type ProofState = (typeof proofStates)[number];

const anchorFields = {
  txid: Hash('The transaction that carries the digest.'),
  vout: Count('Index of the output that carries it.'),
  height: Count('Block that has it.'),
  position: Count('Index of the transaction in the block.'),
  block_hash: Hash('That block.'),
  block_time: Time('What its miner wrote into the header.'),
  median_time: Time('Median time past of the block: no earlier block can claim a later one.'),
  confirmations: Count('Blocks from it to the tip, both counted.'),
};

/** An anchor in the chain. */
export const AnchorView = Strict(anchorFields, { title: 'ProofAnchor' });
export type AnchorJson = Static<typeof AnchorView>;

/** An anchor with all that is needed to check it without this service. */
export const ProvenAnchorView = Strict(
  {
    ...anchorFields,
    tx: Nullable(
      Hex(
        'The transaction without witness: its double SHA-256 is the txid, and output `vout` carries the digest. Null above 100,000 bytes: see /tx/{txid}/raw.',
      ),
    ),
    branch: Type.Array(Hash('A sibling on the way from the txid to the merkle root, from below.')),
    merkle_root: Hash('Where the branch leads.'),
    header: Hex('The 80 bytes of the header that holds the root.'),
    ambiguous: Type.Boolean({
      description:
        'True for a transaction of 64 bytes, whose branch proves nothing: check against the whole block.',
    }),
  },
  { title: 'ProvenAnchor' },
);

/** What is known of a digest. */
export const ProofView = Strict(
  {
    sha256: Digest,
    state: OneOf(proofStates, {
      description: '`unknown`: no transaction carries it. `final`: as deep as the profile asks for.',
    }),
    script: Hex('The data-carrier script that anchors it.'),
    anchors: Count('Outputs in the chain that carry it.'),
    primary: Nullable(ProvenAnchorView),
    pending: Type.Array(
      Strict({
        txid: Hash('A transaction in the mempool that carries it.'),
        first_seen: Time('When it came.'),
      }),
      { maxItems: 25, description: 'Newest first, 25 at most.' },
    ),
    further: Type.Array(AnchorView, {
      description:
        'Anchors besides the primary one, newest first, by height, transaction and output: a page of them.',
    }),
    next_cursor: NextCursor,
  },
  { title: 'Proof' },
);
export type ProofJson = Static<typeof ProofView>;

/** Newest anchors in the chain. */
export const RecentAnchorList = Strict(
  {
    ...pageOf(Strict({ sha256: Digest, ...anchorFields }, { title: 'RecentAnchor' })),
  },
  { title: 'RecentAnchorList' },
);

/** What the status says of the calendar. */
export const CalendarStatusView = Strict(
  {
    enabled: Type.Boolean({ description: 'Whether this service takes digests for its calendar.' }),
    interval_seconds: Count('Seconds between two of its transactions at the least.'),
    daily_limit: Count('Digests that it takes a day at most.'),
    daily_limit_per_client: Count('Of these, of one client.'),
    left_today: Count('How many are left today (UTC).'),
    waiting: Count('Digests that wait for a tree.'),
    opentimestamps: Nullable(
      Type.String({
        description: 'Address of the calendar for programs of OpenTimestamps; null where they cannot use it.',
      }),
    ),
  },
  { title: 'CalendarStatus' },
);

/** State of the proof service and of its index. */
export const ProofStatusView = Strict(
  {
    as_of: AsOf,
    marker: Hex('First four bytes of the payload.'),
    height: Count('Height that is indexed.'),
    tip: Hash('Its block.'),
    anchors: Count('Anchors in the chain.'),
    events_hash: Hex('events(h) of the tip: see docs/protocols/hash-chain.md.'),
    chain_hash: Hex(
      'chain(h) of the tip: equal on every service that followed the same blocks by the same rules.',
    ),
    state_hash: LatestState,
    rules_id: RulesId,
    replicas: ReplicaList,
    final_confirmations: Count('Confirmations from which an anchor is final.'),
    wallet: Strict({
      enabled: Type.Boolean({
        description: "Whether POST /proof/anchor sends transactions of the operator's own wallet.",
      }),
      daily_limit: Count('Transactions that it sends a day at most.'),
      daily_limit_per_client: Count('Of these, for one client.'),
      left_today: Count('How many are left today (UTC).'),
    }),
    calendar: CalendarStatusView,
  },
  { title: 'ProofStatus' },
);

/** The hashes of one block. */
export const ProofHashesView = Strict(
  {
    as_of: AsOf,
    height: Count('The block.'),
    block_hash: Hash('Its hash.'),
    events_hash: Hex('events(h): see docs/protocols/hash-chain.md.'),
    chain_hash: Hex('chain(h): equal on every service that followed the same blocks by the same rules.'),
    state_hash: Nullable(Hex('state(h), where 1,000 divides the height.')),
    rules_id: RulesId,
  },
  { title: 'ProofHashes' },
);

/** Body of POST /proof/anchor. */
export const AnchorBody = Strict(
  {
    sha256: DigestParameter,
    form: Type.Optional(
      OneOf(['direct', 'calendar'], {
        description:
          '`direct`, which is the default: a transaction of its own carries the digest. `calendar`: one transaction carries the root of a tree ' +
          'over all digests that came in an interval.',
      }),
    ),
  },
  { title: 'AnchorRequest' },
);

/** A digest that the calendar has taken. */
export const TakenDigestView = Strict(
  {
    sha256: Digest,
    accepted_at: Nullable(Time('When it was taken; null once it is in a tree.')),
    batch: Nullable(Count('Number of the tree that has it; null while it waits for one.')),
  },
  { title: 'TakenDigest' },
);
export type TakenDigestJson = Static<typeof TakenDigestView>;

/** What became of a request to anchor. */
export const anchorResults = ['anchored', 'pending', 'submitted', 'script', 'leaf'] as const;

/** Answer of POST /proof/anchor. */
export const AnchorResultView = Strict(
  {
    sha256: Digest,
    result: OneOf(anchorResults, {
      description:
        '`anchored`: in the chain already. `pending`: in the mempool already. `submitted`: the service sends, or has sent, a transaction. `script`: put this output into a transaction of your own. `leaf`: the calendar has taken the digest.',
    }),
    reason: Nullable(
      OneOf(['no_wallet', 'daily_limit', 'daily_limit_per_client', 'wallet_unavailable'], {
        description: 'Why the service does not send it itself; null unless the result is `script`.',
      }),
    ),
    script: Hex('The data-carrier script: an output of value 0.'),
    payload: Hex('What the script pushes: marker and digest.'),
    txid: Nullable(Hash('The transaction that carries it, when there is one.')),
    proof: Nullable(ProofView),
    leaf: Nullable(TakenDigestView),
  },
  { title: 'AnchorResult' },
);
export type AnchorResultJson = Static<typeof AnchorResultView>;
