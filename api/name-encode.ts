/** The name registry: bodies and answers of what builds transactions for a caller's own wallet. */

import { NAME_REASONS } from '@coinfront/protocol/names/name-reasons.ts';
import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Hex, Nullable, OneOf, Strict } from './common.ts';
import { MomentView, NameParameter, nameOperations, PartyView } from './names.ts';

const AddressText = (description: string) => Type.String({ minLength: 1, maxLength: 120, description });

const Salt = Type.String({
  pattern: '^[0-9a-fA-F]{32}$',
  minLength: 32,
  maxLength: 32,
  description:
    '16 bytes in hex that hide the name until it is revealed, the same in commit and register. Derive them from the seed ' +
    'as COIN-HD-1 says (/api/v1/wallet-standard), so that a restored wallet can still reveal; this service never makes one.',
});

const Periods = Type.Integer({ minimum: 1, maximum: 255, description: 'Periods to pay for.' });

const senderFields = {
  address: Type.Optional(
    AddressText(
      'Address that sends: with it the operation is judged for this sender, and a PSBT of its coins comes along. Never a key.',
    ),
  ),
  public_key: Type.Optional(
    Type.String({
      pattern: '^(0[23][0-9a-fA-F]{64}|[0-9a-fA-F]{64})$',
      minLength: 64,
      maxLength: 66,
      description:
        'Public key of the address: needed for a PSBT of a P2SH-P2WPKH address; of P2TR the internal key, if the wallet wants it in the PSBT.',
    }),
  ),
  fee_rate: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,10}(\\.[0-9]{1,18})?$',
      maxLength: 29,
      description: 'Coins for 1,000 virtual bytes, as `per_kvb` of /api/v1/fee. An estimate unless given.',
    }),
  ),
};

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
    ...senderFields,
  },
  { title: 'EncodeCommit' },
);

/** Body of /encode/register. */
export const EncodeRegisterBody = Strict(
  { name: NameParameter, salt: Salt, periods: Periods, ...senderFields },
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
    ...senderFields,
  },
  { title: 'EncodeTransfer' },
);

/** Body of /encode/renew. */
export const EncodeRenewBody = Strict(
  { name: NameParameter, periods: Periods, ...senderFields },
  { title: 'EncodeRenew' },
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
  renews_for_other: 'The name stays the property of its owner, who is somebody else.',
} as const;
export type NameWarning = keyof typeof nameWarnings;

const outputPurposes = ['carrier', 'fee', 'recipient'] as const;

/** A payload, and the transaction around it. */
export const EncodedNameView = Strict(
  {
    as_of: AsOf,
    operation: OneOf(nameOperations, { description: 'What it is.' }),
    name: Nullable(Type.String({ description: 'Null for a commit by its commitment.' })),
    commitment: Nullable(Hex('Of a commit, and of a register whose address is given.')),
    payload: Hex('What the carrier pushes.'),
    script: Hex('The data-carrier script.'),
    sender: Nullable(PartyView),
    outputs: Type.Array(
      Strict(
        {
          purpose: OneOf(outputPurposes, { description: 'What it is for.' }),
          script: Hex('The scriptPubKey.'),
          address: Nullable(Type.String({ description: 'Its address; null when it has none.' })),
          amount: Amount('Its value; of a fee more is fine, less is invalid.'),
        },
        { title: 'RequiredOutput' },
      ),
      { description: 'In exactly this order and first of all; change comes behind.' },
    ),
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
    next_block: Nullable(
      Strict(
        {
          valid: Type.Boolean({
            description: 'Whether it would be valid in the next block, as the chain stands.',
          }),
          reason: Nullable(
            OneOf(Object.keys(NAME_REASONS) as (keyof typeof NAME_REASONS)[], { description: 'Why not.' }),
          ),
        },
        { description: 'What the rules say. Null where it hangs on the sender, and no address is given.' },
      ),
    ),
    warnings: Type.Array(
      Strict(
        {
          code: OneOf(Object.keys(nameWarnings) as NameWarning[], { description: 'What it is about.' }),
          text: Type.String({ description: 'The same in words.' }),
        },
        { title: 'NameWarning' },
      ),
    ),
    transaction: Nullable(
      Strict(
        {
          psbt: Type.String({ description: 'BIP-174, base64: sign every input with SIGHASH_ALL.' }),
          network_fee: Amount('What the miner gets.'),
          fee_rate: Amount('For 1,000 virtual bytes.'),
          vsize: Count('Virtual bytes once it is signed, rather too many.'),
          inputs: Type.Array(
            Strict({
              txid: Hash('Transaction of the output that is spent.'),
              vout: Count('Its index.'),
              amount: Amount('Its value.'),
            }),
            { description: 'All of the address; nothing is reserved.' },
          ),
          change: Nullable(Amount('Back to the address, in the last output; null when there is none.')),
        },
        { description: 'Of the address; null when none is given, or none can be made.' },
      ),
    ),
    transaction_refused: Nullable(
      Strict({
        code: OneOf(
          ['insufficient_funds', 'public_key_needed', 'public_key_wrong', 'sender_unsupported'] as const,
          { description: 'Why no transaction was made.' },
        ),
        text: Type.String({ description: 'The same in words.' }),
      }),
    ),
  },
  { title: 'EncodedName' },
);
export type EncodedNameJson = Static<typeof EncodedNameView>;
