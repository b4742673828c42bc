/** The name registry: bodies and answers of what builds transactions for a caller's own wallet. */

import { NAME_REASONS } from '@coinfront/protocol/names/name-reasons.ts';
import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hex, Nullable, OneOf, Strict } from './common.ts';
import { NameRecordsField } from './name-records.ts';
import { MomentView, NameParameter, nameOperations, PartyView } from './names.ts';
import {
  AddressText,
  encodedFields,
  encodeFields,
  NextBlockVerdict,
  RequiredOutputs,
  WarningList,
} from './unsigned.ts';

const Salt = Type.String({
  pattern: '^[0-9a-fA-F]{32}$',
  minLength: 32,
  maxLength: 32,
  description:
    '16 bytes in hex that hide the name until it is revealed, the same in commit and register. Derive them from the seed ' +
    'as COIN-HD-1 says (/api/v1/wallet-standard), so that a restored wallet can still reveal; this service never makes one.',
});

const Periods = Type.Integer({ minimum: 1, maximum: 255, description: 'Periods to pay for.' });

/** Body of /encode/commit. */
export const EncodeCommitBody = Strict(
  {
    commitment: Type.Optional(
      Type.String({
        pattern: '^[0-9a-fA-F]{64}$',
        minLength: 64,
        maxLength: 64,
        description:
          'The commitment, made by the wallet. Whoever gives this instead of name and salt tells nobody the name.',
      }),
    ),
    name: Type.Optional(NameParameter),
    salt: Type.Optional(Salt),
    owner: Type.Optional(AddressText('Address that will register the name; `address` unless given.')),
    ...encodeFields,
  },
  { title: 'EncodeCommit' },
);

/** Body of /encode/register. */
export const EncodeRegisterBody = Strict(
  { name: NameParameter, salt: Salt, periods: Periods, ...encodeFields },
  { title: 'EncodeRegister' },
);

/** Body of /encode/transfer. */
export const EncodeTransferBody = Strict(
  {
    name: NameParameter,
    to: AddressText('Address of the new owner.'),
    amount: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$',
        maxLength: 39,
        description: 'Coins that the new owner is sent with it; as little as is relayed unless given.',
      }),
    ),
    ...encodeFields,
  },
  { title: 'EncodeTransfer' },
);

/** Body of /encode/renew. */
export const EncodeRenewBody = Strict(
  { name: NameParameter, periods: Periods, ...encodeFields },
  { title: 'EncodeRenew' },
);

/** Body of /encode/reverse. */
export const EncodeReverseBody = Strict(
  {
    name: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A name of the address, which is then shown with it. Null removes the record.',
      }),
    ),
    ...encodeFields,
  },
  { title: 'EncodeReverse' },
);

/** Body of /encode/records. */
export const EncodeRecordsBody = Strict(
  {
    name: NameParameter,
    records: Type.Optional(NameRecordsField),
    hash: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^[0-9a-fA-F]{64}$',
          minLength: 64,
          maxLength: 64,
          description:
            'Instead of `records`: SHA-256 of their document, made by the wallet, which tells nobody yet what they are. Null removes the records.',
        }),
      ),
    ),
    ...encodeFields,
  },
  { title: 'EncodeRecords' },
);

/** What may be wrong with an operation, or should be known before it is paid for. */
export const nameWarnings = {
  registry_inactive: 'The registry has not begun: nothing is valid before its first block.',
  salt_weak: 'The salt does not look random: whoever guesses it learns the name before it is registered.',
  commit_known: 'This commitment is on record and young enough: repeating it changes nothing.',
  commit_unchecked: 'Without `address` it was not checked whether there is a commitment.',
  commit_missing: 'No commitment to this name with this salt for this address is on record: commit first.',
  commit_pending: 'The commitment is in the mempool: it counts from the block that mines it.',
  commit_immature:
    'The commitment is too young: a register before the earliest height is invalid, and what it pays is lost.',
  commit_expires_soon:
    'The commitment ends soon: a register that is mined after the latest height is invalid.',
  commit_expired: 'The commitment is too old: commit anew.',
  commit_ends_before_free: 'The name is not free within the life of this commitment: commit later.',
  name_registered: 'The name has an owner and has not expired.',
  name_in_grace: 'The name has expired, but it can still be renewed, for its owner.',
  premium_decaying: 'The name lapsed a short time ago: a premium is due, which falls with each block.',
  race_pending:
    'A transaction in the mempool registers this name too: the first valid one in the chain wins, and the other pays for nothing.',
  race_possible:
    'The name has just become free: others may register it in the same block, and only the first one gets it.',
  price_changes:
    'The price changes within the time that this can be mined in: later blocks may ask for more.',
  periods_too_many: 'The name would be paid for further ahead than the rules allow.',
  name_not_registered: 'The name was never registered.',
  name_expired: 'The name has expired: until it is renewed nobody can transfer it.',
  name_expires_soon: 'The name expires soon: a transfer that is mined at its expiry or later is invalid.',
  name_lapsed: 'The name has expired and its grace is over: it can only be registered again.',
  owner_unchecked: 'Without `address` it was not checked who owns the name.',
  not_owner: 'The address does not own the name.',
  reverse_inactive: 'Reverse records have not begun: none is valid before their first block.',
  records_inactive: 'Text records have not begun: none is valid before their first block.',
  records_known: 'The name has these records already: setting them again changes nothing.',
  records_none: 'The name has no text records: removing them changes nothing.',
  records_end: 'The name has text records of its owner, which end with the transfer.',
  reverse_known: 'The address is shown with this name already: setting it again changes nothing.',
  reverse_none: 'The address has no reverse record: removing it changes nothing.',
  reverse_ends: 'The name is the reverse record of its owner, which ends with the transfer.',
  renews_for_other: 'The name stays the property of its owner, who is somebody else.',
} as const;
export type NameWarning = keyof typeof nameWarnings;

/** A payload, and the transaction around it. */
export const EncodedNameView = Strict(
  {
    as_of: AsOf,
    operation: OneOf(nameOperations, { description: 'What it is.' }),
    name: Nullable(
      Type.String({
        description: 'Null for a commit by its commitment, and for the removal of a reverse record.',
      }),
    ),
    commitment: Nullable(Hex('Of a commit, and of a register whose address is given.')),
    records_hash: Nullable(
      Hex('Of text records: SHA-256 of their document, which is given to services once the chain has it.'),
    ),
    payload: Hex('What the carrier pushes.'),
    script: Hex('The data-carrier script.'),
    sender: Nullable(PartyView),
    outputs: RequiredOutputs,
    cost: Nullable(
      Strict(
        {
          per_period: Amount('Price of one period.'),
          periods: Count('Periods.'),
          premium: Amount('Premium of a register.'),
          total: Amount(
            'What the fee output pays: right at the earliest height, and later while prices stay.',
          ),
        },
        { description: 'Null for what costs the network fee only.' },
      ),
    ),
    earliest: Nullable(MomentView),
    latest: Nullable(MomentView),
    next_block: NextBlockVerdict(Object.keys(NAME_REASONS) as (keyof typeof NAME_REASONS)[]),
    warnings: WarningList(Object.keys(nameWarnings) as NameWarning[], 'NameWarning'),
    ...encodedFields,
  },
  { title: 'EncodedName' },
);
export type EncodedNameJson = Static<typeof EncodedNameView>;
