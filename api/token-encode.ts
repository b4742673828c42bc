/** Tokens: bodies and answers of what builds transactions for a caller's own wallet. */

import { TOKEN_REASONS } from '@coinfront/protocol/tokens/token-reasons.ts';
import Type, { type Static } from 'typebox';
import { AsOf, Hex, Nullable, OneOf, Strict } from './common.ts';
import { mostSwept, SweepView } from './token-sweep.ts';
import { OwnerView, tokenKinds } from './tokens.ts';
import {
  AddressText,
  encodedFields,
  encodeFields,
  NextBlockVerdict,
  RequiredOutputs,
  WarningList,
} from './unsigned.ts';

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
    ...encodeFields,
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
    ...encodeFields,
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
    ...encodeFields,
  },
  { title: 'EncodeTokenTransfer' },
);

/** Body of /tok/encode/burn. */
export const EncodeBurnBody = Strict(
  { token_id: TokenIdText, amount: GivenAmount('What is burned, for good.'), ...encodeFields },
  { title: 'EncodeBurn' },
);

/** Body of /tok/encode/sweep. */
export const EncodeSweepBody = Strict(
  { to: AddressText('Address that gets all of them.'), ...encodeFields },
  { title: 'EncodeSweep' },
);

/** What should be known before an operation is paid for. */
export const tokenWarnings = {
  tokens_inactive: 'Tokens have not begun: nothing is valid before their first block.',
  sweep_inactive: 'Sweeps have not begun: none is valid before their first block.',
  sweep_leaves_more: `The address has more tokens than the ${mostSwept} that one sweep moves: another one moves the next.`,
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

/** A payload, and the transaction around it. */
export const EncodedTokenView = Strict(
  {
    as_of: AsOf,
    operation: OneOf(tokenKinds, { description: 'What it is.' }),
    token_id: Nullable(
      Hex(
        'The token. Of a CREATE it is known with the PSBT only: it hangs on the first input. Null of a SWEEP.',
      ),
    ),
    payload: Hex('What the carrier pushes.'),
    script: Hex('The data-carrier script.'),
    sender: Nullable(OwnerView),
    sweep: Nullable(SweepView),
    outputs: RequiredOutputs,
    next_block: NextBlockVerdict(Object.keys(TOKEN_REASONS) as (keyof typeof TOKEN_REASONS)[]),
    warnings: WarningList(Object.keys(tokenWarnings) as TokenWarning[], 'TokenWarning'),
    ...encodedFields,
  },
  { title: 'EncodedToken' },
);
export type EncodedTokenJson = Static<typeof EncodedTokenView>;
