/** The chain API: schemas of transactions. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Hex, Nullable, OneOf, Strict, Time, TxidParameter } from './common.ts';

const scriptFields = {
  address: Nullable(Type.String({ description: 'Address of the script; null when its kind has none.' })),
  script_type: Type.String({
    description: "Kind of the script in the node's words, such as witness_v0_keyhash.",
  }),
  script: Nullable(Hex('The script. Null above 10,000 bytes: such an output can never be spent; see /raw.')),
  script_asm: Nullable(Type.String({ description: 'The script in words; null like `script`.' })),
};

/** The output that an input spends. */
export const PrevoutView = Strict(
  { value: Amount('Value of the output that is spent.'), ...scriptFields },
  { title: 'Prevout' },
);

/** One input. */
export const TxInputView = Strict(
  {
    index: Count('Index of the input.'),
    txid: Nullable(Hash('Transaction whose output is spent; null for a coinbase.')),
    vout: Nullable(Count('Index of the output that is spent; null for a coinbase.')),
    coinbase: Type.Boolean({ description: 'Whether this input makes new coins.' }),
    prevout: Nullable(PrevoutView),
    script_sig: Hex('Script of the input.'),
    script_sig_asm: Nullable(
      Type.String({ description: 'The same in words; null above 10,000 bytes, and for a coinbase.' }),
    ),
    witness: Type.Array(Hex('One item of the witness.')),
    witness_count: Type.Optional(
      Count(
        'All items of the witness of this input; only where `witness` is a part of them. Read on with first_witness.',
      ),
    ),
    sequence: Count('Sequence number.'),
  },
  { title: 'TxInput' },
);

/** One output. */
export const TxOutputView = Strict(
  {
    index: Count('Index of the output.'),
    value: Amount('Value.'),
    ...scriptFields,
    data: Nullable(
      Hex('Payload of a data carrier that pushes one item of up to 80 bytes; null for all others.'),
    ),
    unspendable: Type.Boolean({ description: 'Whether the output can provably never be spent.' }),
    spent_by: Nullable(
      Strict({
        txid: Hash('The transaction that spends it.'),
        vin: Count('Index of its input.'),
        height: Nullable(Count('Block of that transaction; null while it is in the mempool.')),
      }),
    ),
  },
  { title: 'TxOutput' },
);

/** Inputs, and outputs, that one answer of /tx shows at most. */
export const txPartLimit = 500;

/** Witness items that one answer of /tx shows at most, of all its inputs. */
export const txWitnessLimit = 5_000;

/** Query of /tx/{txid}. */
export const TxQuery = Strict({
  first_input: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: `Index of the first input shown; ${txPartLimit} are shown.`,
    }),
  ),
  first_witness: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 4_000_000,
      default: 0,
      description:
        'Index of the first witness item shown of the first input shown, for an input that has `witness_count`. ' +
        `${txWitnessLimit} items of all inputs are shown; inputs beyond that come with \`next_input\`.`,
    }),
  ),
  first_output: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 0,
      description: `Index of the first output shown; ${txPartLimit} are shown.`,
    }),
  ),
});
/** Path of the transaction routes. */
export const TxParams = Strict({ txid: TxidParameter });

/** The block of a transaction. */
export const TxBlock = Strict(
  {
    hash: Hash('The block that has the transaction.'),
    height: Count('Its height.'),
    position: Count('Index in the block; 0 is the coinbase.'),
    time: Time('What the miner of the block wrote.'),
  },
  { title: 'TxBlock' },
);

/** One transaction. */
export const TxDetail = Strict(
  {
    txid: Hash('Id of the transaction.'),
    wtxid: Hash('Id with the witness (BIP-141).'),
    version: Type.Integer({ description: 'Version.' }),
    locktime: Count('Lock time: a height, or seconds since 1970 from 500,000,000 on.'),
    size: Count('Bytes with the witness.'),
    stripped_size: Count('Bytes without the witness.'),
    vsize: Count('Virtual bytes: weight / 4, rounded up.'),
    weight: Count('Weight units (BIP-141).'),
    fee: Nullable(Amount('Fee; null for a coinbase.')),
    fee_rate: Nullable(
      Type.String({ description: 'Base units per virtual byte with 3 decimals; null for a coinbase.' }),
    ),
    output_value: Amount('Sum of all outputs.'),
    coinbase: Type.Boolean({ description: 'Whether it makes new coins.' }),
    rbf_signaled: Type.Boolean({ description: 'Whether an input signals replaceability (BIP-125).' }),
    confirmed: Type.Boolean({
      description: 'Whether it is in a block of the best chain; otherwise in the mempool.',
    }),
    confirmations: Count('Blocks from its own to the tip, both counted; 0 in the mempool.'),
    block: Nullable(TxBlock),
    first_seen: Nullable(Time('When this service first saw it in the mempool; null once confirmed.')),
    input_count: Count('All inputs.'),
    output_count: Count('All outputs.'),
    inputs: Type.Array(TxInputView, {
      description: `From first_input on, ${txPartLimit} at most, fewer where they have many witness items.`,
    }),
    outputs: Type.Array(TxOutputView, { description: `From first_output on, ${txPartLimit} at most.` }),
    next_input: Nullable(Count('Give it as first_input to read on; null when the inputs are complete.')),
    next_output: Nullable(Count('Give it as first_output to read on; null when the outputs are complete.')),
  },
  { title: 'Transaction' },
);

/** Answer of /tx/{txid}/raw. */
export const TxRaw = Strict(
  {
    txid: Hash('Id of the transaction.'),
    raw_tx: Hex('The serialised transaction.'),
    size: Count('Its bytes.'),
  },
  { title: 'RawTransaction' },
);

/** Answer of /tx/{txid}/proof. */
export const TxProof = Strict(
  {
    txid: Hash('Id of the transaction.'),
    block_hash: Hash('The block that has it.'),
    block_height: Count('Its height.'),
    confirmations: Count('Blocks from this one to the tip, both counted.'),
    position: Count('Index in the block: its lowest bit says on which side the first branch hash stands.'),
    tx_count: Count('Transactions in the block.'),
    branch: Type.Array(Hash('A sibling on the way to the root, from below.')),
    merkle_root: Hash('Where the branch leads; it stands in the header.'),
    header: Hex('The 80 bytes of the header.'),
    ambiguous: Type.Boolean({
      description:
        'True for a transaction of 64 bytes, which cannot be told from an inner node: such a proof proves nothing.',
    }),
  },
  { title: 'TransactionProof' },
);

/** Body of /broadcast. */
export const BroadcastBody = Strict({
  raw_tx: Type.String({
    minLength: 20,
    maxLength: 2_000_000,
    pattern: '^[0-9a-fA-F]+$',
    description: 'The signed transaction, serialised, in hex. Never a key.',
  }),
});

/** Answer of /broadcast. */
export const BroadcastResultView = Strict(
  {
    txid: Hash('Id of the transaction.'),
    already_known: Type.Boolean({
      description: 'Whether the node, this service or the chain had it before.',
    }),
    visibility: OneOf(['visible', 'pending', 'dropped'] as const, {
      description:
        'What reads of this service make of it. visible: they show it from now on. pending: the node has taken it, and they ' +
        'do not show it yet, since the service is behind the node or busy. dropped: the node took it and has it no longer; ' +
        'another replaced it at once, or pays more.',
    }),
  },
  { title: 'BroadcastResult' },
);

export type TxDetailJson = Static<typeof TxDetail>;
export type TxInputJson = Static<typeof TxInputView>;
export type TxOutputJson = Static<typeof TxOutputView>;
export type TxBlockJson = Static<typeof TxBlock>;
export type TxProofJson = Static<typeof TxProof>;
