/** Tokens: bodies and answers of what builds transactions for a caller's own wallet. */

import { TOKEN_REASONS } from '@coinfront/protocol/tokens/token-reasons.ts';
import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Hex, Nullable, OneOf, Strict } from './common.ts';
import { OwnerView, tokenKinds } from './tokens.ts';

const AddressText = (description: string) => Type.String({ minLength: 1, maxLength: 120, description });

const TokenIdText = Type.String({
  pattern: '^[0-9a-fA-F]{64}$',
  minLength: 64,
  maxLength: 64,
  description: 'Id of the token.',
});

const GivenAmount = (description: string) =>
  Type.String({
    pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$',
    maxLength: 39,
    description: `${description} With at most the decimals of the token.`,
  });

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

/** Body of /tok/encode/create. */
export const EncodeCreateBody = Strict(
  {
    ticker: Type.String({
      pattern: '^[A-Z0-9]{1,12}$',
      minLength: 1,
      maxLength: 12,
      description: '1 to 12 of A-Z and 0-9. A label: others may have the same.',
    }),
    decimals: Type.Integer({ minimum: 0, maximum: 18, description: 'Decimals of its amounts, for good.' }),
    premine: GivenAmount('What the issuer has from the beginning.'),
    mintable: Type.Boolean({ description: 'Whether the issuer may mint more.' }),
    cap: Type.Optional(
      GivenAmount('Most that may ever be minted, the premine included; 2^63 - 1 parts unless given.'),
    ),
    metadata_hash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-fA-F]{64}$',
        minLength: 64,
        maxLength: 64,
        description: 'SHA-256 of metadata that live elsewhere.',
      }),
    ),
    ...senderFields,
  },
  { title: 'EncodeCreate' },
);

/** Body of /tok/encode/mint. */
export const EncodeMintBody = Strict(
  {
    token_id: TokenIdText,
    amount: GivenAmount('What is minted; "0" only together with `close`.'),
    close: Type.Optional(Type.Boolean({ description: 'Closes minting for good. False unless given.' })),
    to: Type.Optional(AddressText('Address that gets it; `address` unless given.')),
    ...senderFields,
  },
  { title: 'EncodeMint' },
);

/** Recipients that a payload of 80 bytes has room for. */
const MAX_RECIPIENTS = 21;

/** Body of /tok/encode/transfer. */
export const EncodeTokenTransferBody = Strict(
  {
    token_id: TokenIdText,
    recipients: Type.Array(
      Strict({ to: AddressText('Address that gets it.'), amount: GivenAmount('What it gets.') }),
      {
        minItems: 1,
        maxItems: MAX_RECIPIENTS,
        description: 'Who gets what. How many fit hangs on the amounts: 4 always do, 21 at most.',
      },
    ),
    ...senderFields,
  },
  { title: 'EncodeTokenTransfer' },
);

/** Body of /tok/encode/burn. */
export const EncodeBurnBody = Strict(
  { token_id: TokenIdText, amount: GivenAmount('What is burned, for good.'), ...senderFields },
  { title: 'EncodeBurn' },
);

/** What should be known before an operation is paid for. */
export const tokenWarnings = {
  tokens_inactive: 'Tokens have not begun: nothing is valid before their first block.',
  ticker_taken:
    'Other tokens have this ticker: people tell tokens apart by id, issuer and reviewed metadata.',
  create_fee_changes:
    'The fee of a CREATE changes in the block after the next: a later one may ask for more.',
  keep_first_input: 'The id of the token hangs on input 0 and the payload: a fee bump has to keep both.',
  closes_minting: 'Minting is closed for good: nobody can open it again.',
  burn_is_final: 'What is burned is gone, and can never be minted again under the cap.',
  sender_unchecked: 'Without `address` it was not judged who sends.',
  not_valid_now: 'In the next block, as the chain stands, it would be invalid: see `next_block`.',
  sender_has_pending:
    'The address has unconfirmed transactions: what they do to its balance is not counted here. Use /tok/preflight once it is signed.',
} as const;
export type TokenWarning = keyof typeof tokenWarnings;

const outputPurposes = ['carrier', 'recipient', 'fee'] as const;

/** A payload, and the transaction around it. */
export const EncodedTokenView = Strict(
  {
    as_of: AsOf,
    operation: OneOf(tokenKinds, { description: 'What it is.' }),
    token_id: Nullable(
      Hex('The token. Of a CREATE it is known with the PSBT only: it hangs on the first input.'),
    ),
    payload: Hex('What the carrier pushes.'),
    script: Hex('The data-carrier script.'),
    sender: Nullable(OwnerView),
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
      {
        description:
          'In exactly this order and first of all, for the payload names them; change comes behind.',
      },
    ),
    next_block: Nullable(
      Strict(
        {
          valid: Type.Boolean({
            description: 'Whether it would be valid in the next block, as the chain stands.',
          }),
          reason: Nullable(
            OneOf(Object.keys(TOKEN_REASONS) as (keyof typeof TOKEN_REASONS)[], { description: 'Why not.' }),
          ),
        },
        { description: 'What the rules say. Null where it hangs on the sender, and no address is given.' },
      ),
    ),
    warnings: Type.Array(
      Strict(
        {
          code: OneOf(Object.keys(tokenWarnings) as TokenWarning[], { description: 'What it is about.' }),
          text: Type.String({ description: 'The same in words.' }),
        },
        { title: 'TokenWarning' },
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
  { title: 'EncodedToken' },
);
export type EncodedTokenJson = Static<typeof EncodedTokenView>;
