/** The name registry: schemas of names, their history, and what it costs to have one. */

import { NAME_REASONS } from '@coinfront/protocol/names/name-reasons.ts';
import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { LatestState, ReplicaList, RulesId } from './protocol-hashes.ts';

/** A name in a path; its syntax is judged by the registry's rules. */
export const NameParameter = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A name, `label.tld`, exactly as it is on chain: nothing is lowercased for anyone.',
});

/** Path of one name. */
export const NameParams = Strict({ name: NameParameter });

/** A height of the past or the future, with its time. */
export const MomentView = Strict(
  {
    height: Count('Block height: what counts.'),
    time: Time('Of a block that exists what its header says; of a later one an estimate.'),
    estimated: Type.Boolean({
      description:
        "True where `time` is an estimate: the tip's time, and for each block to come the mean interval of the latest 2,016 blocks (144 while there are no more; what the coin aims at before).",
    }),
  },
  { title: 'Moment' },
);
export type MomentJson = Static<typeof MomentView>;

/** Who owns or sends: a scriptPubKey. */
export const PartyView = Strict(
  {
    address: Nullable(Type.String({ description: 'The address of the script; null when it has none.' })),
    script: Nullable(Hex('The scriptPubKey: what counts. Null in lists when it is longer than 1,000 bytes.')),
  },
  { title: 'Party' },
);
export type PartyJson = Static<typeof PartyView>;

/** States of a registered name. */
export const nameStates = ['registered', 'grace', 'premium', 'lapsed'] as const;
export type NameStateJson = (typeof nameStates)[number];

const NameState = OneOf(nameStates, {
  description:
    '`registered`: has an owner and resolves. `grace`: expired, can only be renewed. `premium`: can be registered, for its ' +
    'price and a premium that falls. `lapsed`: can be registered as if it had never been.',
});

/** Operations of names. */
export const nameOperations = ['commit', 'register', 'transfer', 'renew', 'reverse', 'records'] as const;

const reasonCodes = Object.keys(NAME_REASONS) as (keyof typeof NAME_REASONS)[];

/** One operation, valid or not. */
export const NameOperationView = Strict(
  {
    txid: Hash('The transaction.'),
    height: Count('Its block.'),
    position: Count('Its index in the block.'),
    time: Time('Of the block, as its header says.'),
    kind: Nullable(OneOf(nameOperations, { description: 'Null for a payload that cannot be decoded.' })),
    name: Nullable(
      Type.String({
        description: 'Null for a commit, for the removal of a reverse record, and for what is no name.',
      }),
    ),
    valid: Type.Boolean({ description: 'An invalid operation changes nothing.' }),
    reason: Nullable(OneOf(reasonCodes, { description: 'Why it is invalid; null when it is valid.' })),
    reason_text: Nullable(Type.String({ description: 'The reason in words.' })),
    sender: Nullable(PartyView),
    commitment: Nullable(Hex('Of a commit, and of a register whose sender is known.')),
    new_owner: Nullable(PartyView),
    periods: Nullable(Count('Of a valid register or renew: periods that were paid for.')),
    expiry: Nullable(
      Count('Of a valid register, transfer or renew, and of records that were set: the expiry from then on.'),
    ),
    paid: Nullable(Amount('Of a valid register or renew: what was paid to the fee script.')),
  },
  { title: 'NameOperation' },
);
export type NameOperationJson = Static<typeof NameOperationView>;

/** A page of operations, newest first. */
export const NameOperationList = Strict(
  { as_of: AsOf, ...pageOf(NameOperationView) },
  { title: 'NameOperationList' },
);

/** A name's record, its state and its history. */
export const NameView = Strict(
  {
    name: Type.String({ description: 'The name.' }),
    as_of: AsOf,
    state: NameState,
    resolves: Type.Boolean({ description: 'Whether it stands for its owner: tip below expiry.' }),
    owner: PartyView,
    registered_by_owner: Type.Boolean({
      description: 'False when the owner was given it by a transfer, which needs no consent.',
    }),
    is_reverse: Type.Boolean({
      description:
        "Whether the reverse record of the owner's script is this name. It counts while the name `resolves`.",
    }),
    records_hash: Nullable(
      Hex(
        'SHA-256 of the document of its text records, which count while it `resolves`; null where there are none.',
      ),
    ),
    registered: MomentView,
    expiry: MomentView,
    grace_ends: MomentView,
    premium_ends: MomentView,
    history: Strict(pageOf(NameOperationView, { description: 'Newest first, invalid ones too.' })),
  },
  { title: 'Name' },
);
export type NameJson = Static<typeof NameView>;

/** What a name stands for. */
export const NameResolution = Strict(
  {
    name: Type.String({ description: 'The name.' }),
    as_of: AsOf,
    address: Nullable(Type.String({ description: "The owner's address; null when the script has none." })),
    script: Hex("The owner's scriptPubKey."),
    expiry: MomentView,
  },
  { title: 'NameResolution' },
);

/** Names of an address. */
export const AddressNameList = Strict(
  {
    address: Type.String({ description: 'The address.' }),
    as_of: AsOf,
    ...pageOf(
      Strict(
        {
          name: Type.String({ description: 'The name.' }),
          state: NameState,
          resolves: Type.Boolean({
            description: 'Whether the name stands for this address now. Only then may it be shown for it.',
          }),
          registered_by_owner: Type.Boolean({
            description:
              'False when the address was given it by a transfer: anybody can give any name to any address, so it says ' +
              'nothing about who has the address.',
          }),
          is_reverse: Type.Boolean({
            description:
              'Whether the owner of the address has set this name as its reverse record: then, and while it `resolves`, the address is shown ' +
              'with it. True of one name at most.',
          }),
          expiry: MomentView,
        },
        { title: 'AddressName' },
      ),
      { description: 'In the order of the names, expired ones too.' },
    ),
  },
  { title: 'AddressNameList' },
);

/** A name in lists of many owners. */
export const ListedNameView = Strict(
  {
    name: Type.String({ description: 'The name.' }),
    state: NameState,
    resolves: Type.Boolean({ description: 'Whether it stands for its owner: tip below expiry.' }),
    owner: PartyView,
    registered_by_owner: Type.Boolean({
      description: 'False when the owner was given it by a transfer, which needs no consent.',
    }),
    expiry: MomentView,
  },
  { title: 'ListedName' },
);
export type ListedNameJson = Static<typeof ListedNameView>;

/** Names that are looked at for one page of a list by state. */
export const MAX_LOOKED_NAMES = 1_000;

/** Query of the list of names. */
export const NameListQuery = Strict({
  prefix: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 49,
      pattern: '^[a-z0-9.-]+$',
      description: 'What the names begin with, as it is on chain: lower case.',
    }),
  ),
  state: Type.Optional(OneOf(nameStates, { description: 'Names in this state only; all unless given.' })),
  ...pageParameters,
});

/** Names in their order. */
export const NameList = Strict(
  {
    as_of: AsOf,
    ...pageOf(ListedNameView, {
      description:
        `In the order of the names. A page looks at up to ${MAX_LOOKED_NAMES} names for those of a \`state\`, so it can have fewer ` +
        'than `limit`, or none, and yet a `next_cursor`.',
    }),
  },
  { title: 'NameList' },
);

/** What can end for a name, in the order in which it does. */
export const nameEnds = ['expiry', 'grace'] as const;

/** How far ahead ends of names are looked for. */
export const expiringBlocks = { default: 1_000, max: 1_000_000 } as const;

/** Query of the names that end soon. */
export const ExpiringNameQuery = Strict({
  within: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: expiringBlocks.max,
      default: expiringBlocks.default,
      description: `Blocks behind the tip that are looked at; ${expiringBlocks.default} unless given.`,
    }),
  ),
  ends: Type.Optional(
    OneOf(nameEnds, {
      description:
        '`expiry`, unless given: when it no longer resolves. `grace`: when it can no longer be renewed, and anybody can register it.',
    }),
  ),
  limit: pageParameters.limit,
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 160,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'The next_cursor of the page before. Opaque; good for this list only.',
    }),
  ),
});

/** Names that end soon, the first first. */
export const ExpiringNameList = Strict(
  {
    as_of: AsOf,
    ends: OneOf(nameEnds, { description: 'What ends.' }),
    last_height: Count('The last block that was asked about.'),
    ...pageOf(
      Strict(
        {
          ...ListedNameView.properties,
          ends_at: MomentView,
        },
        { title: 'ExpiringName' },
      ),
      { description: 'By `ends_at`, then by name. A renewal moves a name to a later place.' },
    ),
  },
  { title: 'ExpiringNameList' },
);
export type ExpiringNameListJson = Static<typeof ExpiringNameList>;

/** Why a name can be registered or not. */
export const availabilities = ['inactive', 'registered', 'grace', 'premium', 'free'] as const;

const costFields = {
  per_period: Amount('Price of one period for a label of this length.'),
  premium: Amount('On top of it, once; only after a grace.'),
  total: Amount('Both, for one period.'),
};

/** Whether a name can be registered, from when, and for how much. */
export const NameAvailabilityView = Strict(
  {
    name: Type.String({ description: 'The name.' }),
    as_of: AsOf,
    height: Count('The next block: what the answer is for.'),
    available: Type.Boolean({ description: 'Whether a register in that block could succeed.' }),
    status: OneOf(availabilities, {
      description:
        '`inactive`: the registry has not begun. `registered`: it has an owner. `grace`: expired, can only be renewed. ' +
        '`premium`: free, for its price and a premium that falls. `free`: never registered, or long lapsed.',
    }),
    available_from: Nullable(MomentView),
    expiry: Nullable(MomentView),
    cost: Strict(costFields, {
      description: 'In the next block; of a registered name what a renewal costs.',
    }),
    premium_decay: Nullable(
      Strict(
        {
          starts: MomentView,
          start_amount: Amount('At the end of the grace.'),
          ends: MomentView,
        },
        { description: 'It falls linearly with each block, from the end of the grace to zero.' },
      ),
    ),
    if_committed_now: Nullable(
      Strict(
        { register_from: MomentView, ...costFields },
        {
          description:
            'The first block in which a commitment that the next block has can be revealed, and what it costs there. Null ' +
            'when that commitment would be too old before the name is free.',
        },
      ),
    ),
  },
  { title: 'NameAvailability' },
);
export type NameAvailabilityJson = Static<typeof NameAvailabilityView>;

const hashFields = {
  events_hash: Hex('events(h): see docs/protocols/hash-chain.md.'),
  chain_hash: Hex('chain(h): equal on every service that followed the same blocks by the same rules.'),
  rules_id: RulesId,
};

/** The registry's rules, totals and hashes. */
export const NameStatusView = Strict(
  {
    as_of: AsOf,
    active: Type.Boolean({ description: 'Whether the next block can have operations.' }),
    activation_height: Count('The first block that can have operations.'),
    marker: Hex('First four bytes of each payload.'),
    ...hashFields,
    state_hash: LatestState,
    replicas: ReplicaList,
    totals: Strict({
      names: Count('Names ever registered.'),
      registered: Count('Of these, how many have not expired.'),
      operations: Count('Valid operations.'),
      invalid_operations: Count('Invalid ones.'),
      paid: Amount('Paid for registers and renewals, all together.'),
    }),
    rules: Strict({
      tlds: Type.Array(Type.String(), { description: 'Endings of names.' }),
      min_label_length: Count('Shortest label.'),
      max_label_length: Count('Longest label.'),
      commit_maturity_blocks: Count('Blocks from a commitment to the first that can reveal it.'),
      commit_lifetime_blocks: Count('Blocks from a commitment to the last that can reveal it.'),
      period_blocks: Count('Blocks of a period.'),
      max_periods: Count('Periods that can be paid ahead.'),
      grace_blocks: Count('Blocks after expiry in which a name can only be renewed.'),
      premium_blocks: Count('Blocks after grace in which the premium falls to zero.'),
      premium_start: Amount('The premium at the end of grace.'),
      reverse_activation_height: Nullable(
        Count('The first block that can set reverse records; null where none ever can.'),
      ),
      records_activation_height: Nullable(
        Count('The first block that can set text records; null where none ever can.'),
      ),
      block_interval_seconds: Count('The block interval that the coin aims at.'),
    }),
    fee: Strict({
      script: Hex('The script that registers and renewals pay.'),
      address: Nullable(Type.String({ description: 'Its address; null when it has none.' })),
    }),
    prices: Type.Array(
      Strict({
        from_height: Count('Valid from this block on.'),
        by_length: Type.Array(
          Strict({
            max_length: Count('Labels up to this length, and longer than that of the row before.'),
            per_period: Amount('Price of one period.'),
          }),
        ),
      }),
    ),
  },
  { title: 'NameStatus' },
);

/** The hashes of one block. */
export const NameHashesView = Strict(
  {
    as_of: AsOf,
    height: Count('The block.'),
    block_hash: Hash('Its hash.'),
    ...hashFields,
    state_hash: Nullable(Hex('state(h), where 1,000 divides the height.')),
  },
  { title: 'NameHashes' },
);
