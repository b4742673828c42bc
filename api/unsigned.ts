/** What builds transactions for a caller's own wallet: fields that names and tokens share. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Hex, Nullable, OneOf, Strict } from './common.ts';

/** An address in a body; whether it is one of this coin is checked after. */
export const AddressText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 120, description });

/** Who sends, in the body of every /encode route. */
export const senderFields = {
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

/** What the body of an /encode route asks for beside its operation. */
export const encodeFields = {
  ...senderFields,
  force: Type.Optional(
    OneOf(['prepare'] as const, {
      description:
        'A PSBT even where the operation would be invalid in the next block, for who knows that it will be mined later. ' +
        'Mined while it is invalid it changes nothing, and what it pays is lost.',
    }),
  ),
};

/** What an output is for. */
export const outputPurposes = ['carrier', 'recipient', 'fee'] as const;

/** Outputs that an operation needs. */
export const RequiredOutputs = Type.Array(
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
    description: 'In exactly this order and first of all, for the payload names them; change comes behind.',
  },
);

/** What the rules say of an operation in the next block; `reasons` are their codes. */
export function NextBlockVerdict<const R extends readonly string[]>(reasons: R) {
  return Nullable(
    Strict(
      {
        valid: Type.Boolean({
          description: 'Whether it would be valid in the next block, as the chain stands.',
        }),
        reason: Nullable(
          OneOf(reasons, { description: 'Why not; null also where the protocol has not begun.' }),
        ),
      },
      { description: 'What the rules say. Null where it hangs on the sender, and no address is given.' },
    ),
  );
}

/** Warnings by code, each with its text; `title` names the component. */
export function WarningList<const C extends readonly string[]>(codes: C, title: string) {
  return Type.Array(
    Strict(
      {
        code: OneOf(codes, { description: 'What it is about.' }),
        text: Type.String({ description: 'The same in words.' }),
      },
      { title },
    ),
  );
}

/** Why no transaction was made. */
export const unsignedRefusals = [
  'insufficient_funds',
  'public_key_needed',
  'public_key_wrong',
  'sender_unsupported',
] as const;

const transaction = Strict(
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
);
/** The transaction around a payload, or why there is none: one of these codes. */
function fieldsOf<const C extends readonly string[]>(refusals: C) {
  const refusal = Strict({
    code: OneOf(refusals, { description: 'Why no transaction was made.' }),
    text: Type.String({ description: 'The same in words.' }),
  });
  return { transaction: Nullable(transaction), transaction_refused: Nullable(refusal) };
}

/** The transaction around a payload, or why there is none. */
export const unsignedFields = fieldsOf(unsignedRefusals);
const unsigned = Strict(unsignedFields);
export type UnsignedFieldsJson = Static<typeof unsigned>;

/**
 * The same of an /encode route: `not_valid_now` where the rules would not take the operation in the next block, unless the body
 * forces one.
 */
export const encodedFields = fieldsOf(['not_valid_now', ...unsignedRefusals]);
const encoded = Strict(encodedFields);
export type EncodedFieldsJson = Static<typeof encoded>;
