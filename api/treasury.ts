/** The treasury: contributors, intents, contributions, the ledger and its reconciliation. */

import { TAG_BYTES } from '@coinfront/protocol/treasury/contribution-tag.ts';
import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Hex, Nullable, OneOf, SignedAmount, Strict, Time } from './common.ts';
import { pageOf } from './paging.ts';
import { senderFields, unsignedFields } from './unsigned.ts';

const ContributorSecret = (description: string) =>
  Type.String({ pattern: '^[0-9a-fA-F]{64}$', minLength: 64, maxLength: 64, description });

const OwnSecret = ContributorSecret(
  'The private secret of the contributor, 64 hex digits. Whoever has it is the contributor; it is no key of any coins.',
);
const NicknameText = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    '2 to 24 letters (of everyday use, of one script) and digits, with single separators between them. No two contributors ' +
    'have nicknames that look alike, and none looks like an id, a reserved word, or Latin letters that it is not. One that was ' +
    'given up rests for a year: only who had it can take it again.',
});
const PublicDisplay = Type.Boolean({
  description: 'Whether nickname and id are shown in public. Otherwise the contributor is "Anonymous".',
});
const IntentId = Type.String({ pattern: '^VI-[0-9A-HJKMNP-TV-Z]{16}$', description: 'The intent.' });

/** Body of POST /contributors. */
export const NewContributorBody = Strict(
  {
    nickname: Type.Optional(NicknameText),
    public_display: Type.Optional(PublicDisplay),
    contributor_secret: Type.Optional(
      ContributorSecret(
        'A secret of your own: 32 random bytes, 64 hex digits. COIN-HD-1 wallets derive theirs (/api/v1/wallet-standard), so ' +
          'that the seed alone brings the identity back. Without it one is made here.',
      ),
    ),
  },
  { title: 'NewContributor' },
);

const contributorFields = {
  id: Type.String({ pattern: '^VC-[0-9A-HJKMNP-TV-Z]{12}$', description: 'Public id of the contributor.' }),
  nickname: Nullable(Type.String({ description: 'Null: none was chosen.' })),
  public_display: PublicDisplay,
  created_at: Time('When it was registered.'),
};

/** Answer of POST /contributors. */
export const NewContributorView = Strict(
  {
    ...contributorFields,
    contributor_secret: Nullable(
      Type.String({
        description:
          'Shown this once, and kept here as a keyed hash only. Null when the request gave its own.',
      }),
    ),
  },
  { title: 'RegisteredContributor' },
);
export type NewContributorJson = Static<typeof NewContributorView>;

/** Body of POST /me. */
export const MeBody = Strict({ contributor_secret: OwnSecret }, { title: 'ContributorLogin' });

/** Body of POST /profile. */
export const ProfileBody = Strict(
  {
    contributor_secret: OwnSecret,
    nickname: Type.Optional(Nullable(NicknameText)),
    public_display: Type.Optional(PublicDisplay),
  },
  { title: 'ContributorChange' },
);

/** Answer of POST /profile. */
export const ProfileView = Strict(
  {
    ...contributorFields,
    hidden_by_operator: Type.Boolean({ description: 'Shown as "Anonymous", whatever was chosen.' }),
  },
  { title: 'Contributor' },
);
export type ProfileJson = Static<typeof ProfileView>;

/** States of an intent. */
export const intentStates = ['open', 'confirming', 'verified', 'expired', 'closed'] as const;
export type IntentState = (typeof intentStates)[number];
const State = OneOf(intentStates, {
  description:
    '`open`: nothing is in the chain. `confirming`, `verified`: a contribution is, and has too few or enough ' +
    'confirmations. `expired`: past `expires_at`; what comes until `closes_at` is still credited, as late. `closed`: past that.',
});

/** Body of POST /intents. */
export const NewIntentBody = Strict(
  {
    contributor_secret: OwnSecret,
    amount: Type.String({ minLength: 1, maxLength: 40, description: 'What shall be given, in coins.' }),
    method: Type.Optional(
      OneOf(['exact_amount', 'carrier'], {
        description:
          'Only one of the two ways to be recognised; both unless given. `carrier` reserves no amount.',
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 600,
        maximum: 2_592_000,
        description: 'Seconds: 10 minutes to 30 days. A day unless given.',
      }),
    ),
    ...senderFields,
  },
  { title: 'NewIntent' },
);

const intentFields = {
  id: IntentId,
  state: State,
  requested_amount: Amount('What was asked for.'),
  exact_amount: Nullable(
    Amount('What to pay to be recognised by the amount alone; null when only the carrier counts.'),
  ),
  tag: Nullable(
    Type.String({
      pattern: `^[0-9a-f]{${2 * TAG_BYTES}}$`,
      description: 'What the carrier names it by; null when only the amount counts.',
    }),
  ),
  created_at: Time('When it was made.'),
  expires_at: Time('Until when it should be paid.'),
  closes_at: Time('Until when what comes late is credited to it. Its amount is given to nobody else before.'),
};
const treasuryAddress = Type.String({ description: 'Address of the treasury.' });

/** Answer of POST /intents. */
export const NewIntentView = Strict(
  {
    ...intentFields,
    address: treasuryAddress,
    script: Hex('Script of that address.'),
    carrier: Nullable(
      Strict(
        {
          script: Hex('The data-carrier script: an output of value 0.'),
          payload: Hex('What the script pushes: marker and tag.'),
        },
        { description: 'The strong way: this output beside one or more to the treasury, of any amount.' },
      ),
    ),
    payment_uri: Nullable(Type.String({ description: 'The exact amount as a payment URI, for any wallet.' })),
    confirmations_required: Count('Confirmations from which a contribution is verified.'),
    ...unsignedFields,
  },
  { title: 'Intent' },
);
export type NewIntentJson = Static<typeof NewIntentView>;

/** Who can say whose a gift is that no intent had: its sender by a signature, or the operator. */
export const assigners = ['claim', 'operator'] as const;
export type AssignedBy = (typeof assigners)[number];

const contributionFields = {
  sequence: Count('Its entry in the ledger.'),
  txid: Hash('The transaction.'),
  vout: Count('Its output to the treasury.'),
  amount: Amount('What came.'),
  intent_id: Nullable(IntentId),
  assigned_by: Nullable(OneOf(assigners, { description: 'Who said so, where no intent had it.' })),
  late: Type.Boolean({ description: 'Whether it came after the intent expired.' }),
  height: Count('Its block.'),
  block_hash: Hash('That block.'),
  confirmations: Count('Blocks from it to the tip, both counted.'),
  verified: Type.Boolean({ description: 'Whether it has enough confirmations.' }),
};

/** Answer of POST /me. */
export const MeView = Strict(
  {
    ...contributorFields,
    hidden_by_operator: Type.Boolean({ description: 'Shown as "Anonymous", whatever was chosen.' }),
    as_of: Nullable(AsOf),
    verified_total: Amount('Sum of the verified contributions.'),
    confirming_total: Amount('Sum of those in the chain that wait for confirmations.'),
    contributions: Type.Array(Strict(contributionFields, { title: 'OwnContribution' }), {
      maxItems: 50,
      description: 'The 50 newest.',
    }),
    intents: Type.Array(Strict(intentFields, { title: 'OwnIntent' }), {
      maxItems: 50,
      description: 'The 50 newest.',
    }),
  },
  { title: 'ContributorAccount' },
);
export type MeJson = Static<typeof MeView>;

/** Body of POST /verify. */
export const VerifyBody = Strict(
  {
    txid: Hash('The transaction that pays.'),
    vout: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: 'Its output, where it has several.' }),
    ),
    intent_id: IntentId,
    contributor_secret: Type.Optional(
      ContributorSecret('With it the intent must be of this contributor. Attribution never needs it.'),
    ),
  },
  { title: 'VerifyContribution' },
);

/** Answer of POST /verify, of 200 and of 202. */
export const VerifyView = Strict(
  {
    state: OneOf(['verified', 'pending'], {
      description:
        '`verified` (200): it is attributed for good. `pending` (202): it waits for confirmations.',
    }),
    txid: Hash('The transaction.'),
    vouts: Type.Array(Count('An output that is credited.')),
    amount: Amount('Their sum.'),
    matched_by: OneOf(['carrier', 'exact_amount'], { description: 'How the intent was recognised.' }),
    intent_id: IntentId,
    late: Type.Boolean({ description: 'Whether it came after the intent expired.' }),
    height: Nullable(Count('Its block; null while it is in the mempool.')),
    block_hash: Nullable(Hash('That block.')),
    confirmations: Count('Blocks from it to the tip, both counted; 0 in the mempool.'),
    confirmations_required: Count('Confirmations from which it is verified.'),
  },
  { title: 'Verification' },
);
export type VerifyJson = Static<typeof VerifyView>;

const Display = Strict(
  {
    id: Nullable(Type.String({ description: 'Public id; null when anonymous.' })),
    name: Type.String({ description: 'Nickname, or id where none was chosen; "Anonymous" when hidden.' }),
  },
  { title: 'ContributorDisplay' },
);

/** What moves the treasury, and what takes a movement back. */
export const entryKinds = [
  'contribution',
  'unattributed',
  'coinbase',
  'change',
  'spend',
  'fee',
  'reversal',
  'note',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Why something that came is nobody's contribution. */
export const unattributedReasons = [
  'no_intent',
  'tag_unknown',
  'tag_malformed',
  'seen_before_intent',
  'intent_closed',
  'below_minimum',
  'other_address',
] as const;
export type UnattributedReason = (typeof unattributedReasons)[number];

const SealView = Strict(
  {
    previous_hash: Hash('Hash of the entry before; zeros in the first.'),
    attribution: Nullable(
      Hex(
        "Says whose the entry is, to who knows the salt: docs/protocols/treasury.md. Null when it is nobody's.",
      ),
    ),
    hash: Hash('SHA-256 of the text of the entry: it stands for all entries up to this one.'),
    service_key: Hex('Ed25519 key of the service that sealed it.'),
    signature: Hex('Its signature over the hash.'),
  },
  {
    title: 'EntrySeal',
    description:
      'Binds the entry to the one before it. Null for entries that were written before there were seals, until the first start behind that.',
  },
);

/** One entry of the ledger. */
export const LedgerEntryView = Strict(
  {
    sequence: Count('Number of the entry: 1, 2, … without a gap. Entries are never changed or removed.'),
    kind: OneOf(entryKinds, {
      description:
        '`contribution`, `unattributed`, `coinbase`: came in. `change`: came back from a spend. `spend`, `fee`: went out. ' +
        '`reversal`: takes the entry `reverses` back, whose block left the chain, or which is assigned by the next entry. `note`: ' +
        'what the operator says of the spend `refers_to`; it moves nothing.',
    }),
    amount: SignedAmount('What it adds to the treasury.'),
    balance: SignedAmount('The treasury after it.'),
    txid: Hash('The transaction.'),
    vout: Nullable(Count('Its output; null for what a transaction as a whole spends.')),
    height: Count('Its block.'),
    block_hash: Hash('That block.'),
    block_time: Time('What its miner wrote.'),
    recorded_at: Time('When the entry was made.'),
    confirmations: Count('Blocks from it to the tip; 0 when its block left the chain.'),
    state: OneOf(['confirming', 'verified', 'reversed'], {
      description:
        '`verified`: it has enough confirmations. `reversed`: it and its reversal cancel each other.',
    }),
    contributor: Nullable(Display),
    late: Type.Boolean({ description: 'Whether a contribution came after its intent expired.' }),
    reason: Nullable(OneOf(unattributedReasons, { description: "Why it is nobody's contribution." })),
    reverses: Nullable(Count('The entry that a reversal takes back.')),
    reversed_by: Nullable(Count('The entry that takes this one back.')),
    assigned_by: Nullable(
      OneOf(assigners, {
        description:
          'Of a contribution that no intent had: `claim`: one of its senders has signed for the contributor. `operator`: the operator says so. Of an ' +
          'unattributed entry `operator`: the operator has taken back whose it was said to be.',
      }),
    ),
    refers_to: Nullable(Count('The spend that a note is about.')),
    purpose: Nullable(
      Type.String({ description: "Of a note: what the spend was for, in the operator's words." }),
    ),
    payee: Nullable(Type.String({ description: "Of a note: who was paid, in the operator's words." })),
    note: Nullable(
      Strict(
        {
          sequence: Count('The entry that says so.'),
          purpose: Type.String({ description: 'What it was for.' }),
          payee: Type.String({ description: 'Who was paid.' }),
        },
        {
          title: 'SpendNote',
          description:
            "Of a spend: what the operator says of it, in the operator's words. Nobody can check them by the chain.",
        },
      ),
    ),
    seal: Nullable(SealView),
  },
  { title: 'LedgerEntry' },
);
export type LedgerEntryJson = Static<typeof LedgerEntryView>;

/** Answer of /ledger. */
export const LedgerView = Strict(
  {
    as_of: Nullable(AsOf),
    ...pageOf(LedgerEntryView),
  },
  { title: 'Ledger' },
);

/** Body of POST /receipt. */
export const ReceiptBody = Strict(
  {
    contributor_secret: OwnSecret,
    sequence: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of the entry, as `/me` names it.',
    }),
  },
  { title: 'ReceiptRequest' },
);

/** Answer of POST /receipt. */
export const ContributionReceiptView = Strict(
  {
    network: Hash('Genesis block of the chain.'),
    entry: LedgerEntryView,
    opening: Strict(
      {
        contributor_id: Type.String({ description: 'The contributor.' }),
        intent_id: Nullable(IntentId),
        salt: Hex('32 random bytes that nobody else is given: who knows them can show whose the entry is.'),
      },
      { description: 'What `attribution` of the seal is the hash of.' },
    ),
  },
  { title: 'ContributionReceipt' },
);
export type ContributionReceiptJson = Static<typeof ContributionReceiptView>;

/** Body of POST /claim. */
export const ClaimBody = Strict(
  {
    contributor_secret: OwnSecret,
    txid: Hash('The transaction of the gift.'),
    vout: Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: 'Its output to the treasury.' }),
    address: Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'An address that an input of it spends from.',
    }),
    signature: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description:
        'Of that address over the text of the claim (docs/protocols/treasury.md), by BIP-322; of P2PKH by BIP-137 too.',
    }),
  },
  { title: 'GiftClaim' },
);

/** Answer of POST /claim. */
export const ClaimedView = Strict(
  {
    txid: Hash('The transaction.'),
    vout: Count('Its output.'),
    amount: Amount('What came.'),
    contributor_id: Type.String({ description: 'Whose it is.' }),
    state: OneOf(['accepted', 'credited'], {
      description: '`accepted`: the entry follows within moments. `credited`: the ledger says so already.',
    }),
  },
  { title: 'ClaimedGift' },
);
export type ClaimedJson = Static<typeof ClaimedView>;

/** Answer of /contributors. */
export const LeaderboardView = Strict(
  {
    as_of: Nullable(AsOf),
    contributors: Count('Contributors with a verified contribution.'),
    verified_total: Amount('Sum of all verified contributions.'),
    ...pageOf(
      Strict(
        {
          rank: Type.Integer({ minimum: 1, description: 'Place in the list.' }),
          contributor: Display,
          verified_total: Amount('Sum of the verified contributions.'),
          contributions: Count('Verified contributions: outputs.'),
          first_verified_height: Count('Block of the first of them.'),
        },
        { title: 'LeaderboardRow' },
      ),
    ),
  },
  { title: 'Leaderboard' },
);
export type LeaderboardJson = Static<typeof LeaderboardView>;

/** How a reconciliation can fail to come about. */
export const unreconciledReasons = ['not_started', 'behind', 'reorganising', 'other_address'] as const;

/** Answer of /status. */
export const TreasuryStatusView = Strict(
  {
    address: treasuryAddress,
    script: Hex('Script of that address.'),
    other_addresses: Type.Array(Type.String({ description: 'An address.' }), {
      maxItems: 2_000,
      description:
        'Further addresses of the same wallet that were paid, such as by change: what is there is in the ledger too.',
    }),
    marker: Hex('First four bytes of the payload of a carrier.'),
    confirmations_required: Count('Confirmations from which a contribution is verified.'),
    minimum_amount: Amount('Least sum that a carrier is credited with, and least amount of an intent.'),
    suffixes: Count('Exact amounts that there are for one requested amount.'),
    intent_grace_seconds: Count('For how long after its expiry an intent is still credited, as late.'),
    indexed: Nullable(AsOf),
    network: Hash('Genesis block of the chain.'),
    head: Nullable(
      Strict(
        {
          sequence: Count('The newest entry.'),
          hash: Hash(
            'Its hash, which stands for the whole ledger. Keep it: the ledger of tomorrow has to have it.',
          ),
          service_key: Hex('Ed25519 key of the service.'),
          signature: Hex('Its signature over the hash.'),
        },
        { title: 'LedgerHead', description: 'Null while the ledger has no entry.' },
      ),
    ),
    epoch_blocks: Count(
      'Blocks of an epoch: when one has ended, the head of the ledger is put into the log, and its checkpoint anchored.',
    ),
    contributors: Count('Registered contributors.'),
    reconciliation: Nullable(
      Strict(
        {
          as_of: AsOf,
          verified_in: Amount('Contributions with enough confirmations.'),
          confirming_in: Amount('Contributions that wait for confirmations.'),
          unattributed_in: Amount("What came and is nobody's contribution."),
          coinbase_in: Amount('Mined to the treasury.'),
          change_in: Amount('What came back from spends.'),
          out: Amount('What spends took, fees left out.'),
          fees: Amount('Fees of transactions that spend coins of the treasury alone.'),
          ledger_total: SignedAmount('Balance of the ledger: in, less out.'),
          utxo_total: Amount('Unspent outputs of the address in the chain at the same block.'),
          difference: SignedAmount('utxo_total less ledger_total: 0, or something is unexplained.'),
          immature_coinbase: Amount('Part of it that cannot be spent yet.'),
          unexplained: Type.Array(
            Strict({
              txid: Hash('A transaction.'),
              vout: Count('Its output.'),
              amount: Amount('Its value.'),
              side: OneOf(['chain', 'ledger'], {
                description: 'Where it is unspent: only in the chain, or only in the ledger.',
              }),
            }),
            { maxItems: 100, description: 'Outputs on which the two differ; the first 100.' },
          ),
        },
        { title: 'Reconciliation', description: 'All figures at one block.' },
      ),
    ),
    unreconciled_reason: Nullable(
      OneOf(unreconciledReasons, { description: 'Why there is no reconciliation at the moment.' }),
    ),
  },
  { title: 'TreasuryStatus' },
);
export type TreasuryStatusJson = Static<typeof TreasuryStatusView>;
export type ReconciliationJson = NonNullable<TreasuryStatusJson['reconciliation']>;

/** Answer of /health. */
export const TreasuryHealthView = Strict(
  {
    status: OneOf(['ok', 'behind', 'node_unavailable', 'other_address', 'not_configured'], {
      description:
        '`ok`: the ledger is at the tip of the index, and that at the tip of the node. `behind`: it is catching up. ' +
        '`node_unavailable`: the node does not answer, so that there may be blocks that nobody here knows of. ' +
        '`other_address`: the ledger was kept for another address than the coin profile has now. `not_configured`: the coin has ' +
        'no treasury.',
    }),
    version: Type.String({ description: 'Version of this interface.' }),
    ledger_height: Nullable(Count('Block up to which the ledger is kept.')),
    index_height: Nullable(Count('Tip of the index.')),
    node_height: Nullable(Count('Tip of the node, when it last answered.')),
    account_near_end: Type.Boolean({
      description:
        "Whether the treasury's account has used one of the last addresses that are followed. What comes behind them is taken for spent: " +
        'the operator moves to another account before.',
    }),
  },
  { title: 'TreasuryHealth' },
);
export type TreasuryHealthJson = Static<typeof TreasuryHealthView>;
