/**
 * The Esplora-compatible read API, in the shapes that Blockstream's Esplora gives: amounts are numbers of base units.
 * Amounts above 2^53 are written exactly, as JSON numbers; a reader with 64-bit integers loses nothing.
 */

import Type, { type Static } from 'typebox';
import { AddressParameter, Count, Hash, Hex, Nullable, Strict, TxidParameter } from './common.ts';

const BaseUnits = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description} In base units.` });

/** Where a transaction is. */
export const EsploraStatus = Strict(
  {
    confirmed: Type.Boolean({ description: 'Whether it is in a block of the best chain.' }),
    block_height: Type.Optional(Count('Height of its block.')),
    block_hash: Type.Optional(Hash('Hash of its block.')),
    block_time: Type.Optional(Count('Time of its block, seconds since 1970.')),
  },
  { title: 'Status' },
);

/** One output. */
export const EsploraOutput = Strict(
  {
    scriptpubkey: Hex('The script.'),
    scriptpubkey_asm: Type.String({ description: 'The script in words.' }),
    scriptpubkey_type: Type.String({
      description: 'p2pk, p2pkh, p2sh, v0_p2wpkh, v0_p2wsh, v1_p2tr, op_return, unknown, …',
    }),
    scriptpubkey_address: Type.Optional(Type.String({ description: 'Its address, when it has one.' })),
    value: BaseUnits('Value.'),
  },
  { title: 'Output' },
);

/** One input. */
export const EsploraInput = Strict(
  {
    txid: Hash('Transaction of the output that is spent.'),
    vout: Count('Index of that output.'),
    prevout: Nullable(EsploraOutput),
    scriptsig: Hex('Script of the input.'),
    scriptsig_asm: Type.String({ description: 'The same in words.' }),
    witness: Type.Optional(Type.Array(Hex('One item of the witness.'))),
    is_coinbase: Type.Boolean({ description: 'Whether it makes new coins.' }),
    sequence: Count('Sequence number.'),
    inner_redeemscript_asm: Type.Optional(Type.String({ description: 'The script behind a P2SH hash.' })),
    inner_witnessscript_asm: Type.Optional(Type.String({ description: 'The script behind a P2WSH hash.' })),
  },
  { title: 'Input' },
);

/** One transaction. */
export const EsploraTx = Strict(
  {
    txid: Hash('Id of the transaction.'),
    version: Type.Integer({ description: 'Version.' }),
    locktime: Count('Lock time.'),
    vin: Type.Array(EsploraInput),
    vout: Type.Array(EsploraOutput),
    size: Count('Bytes with the witness.'),
    weight: Count('Weight units.'),
    fee: BaseUnits('Fee; 0 for a coinbase.'),
    status: EsploraStatus,
  },
  { title: 'Transaction' },
);

/** One block. */
export const EsploraBlock = Strict(
  {
    id: Hash('Hash of the block.'),
    height: Count('Height.'),
    version: Type.Integer({ description: 'Version.' }),
    timestamp: Count('Time, seconds since 1970.'),
    tx_count: Count('Transactions.'),
    size: Count('Bytes.'),
    weight: Count('Weight units.'),
    merkle_root: Hash('Root of the txids.'),
    previousblockhash: Nullable(Hash('The block below; null for genesis.')),
    mediantime: Count('Median time, seconds since 1970.'),
    nonce: Count('Nonce.'),
    bits: Count('Compact target, as a number.'),
    difficulty: Type.Number({ description: 'Difficulty.' }),
  },
  { title: 'Block' },
);

/** Whether a block is in the best chain. */
export const EsploraBlockStatus = Strict(
  {
    in_best_chain: Type.Boolean({ description: 'Whether it is.' }),
    height: Nullable(Count('Its height; null when it is not.')),
    next_best: Nullable(Hash('The block above.')),
  },
  { title: 'BlockStatus' },
);

/** Merkle proof. */
export const EsploraMerkleProof = Strict(
  {
    block_height: Count('Height of the block.'),
    merkle: Type.Array(Hash('A sibling, from below.')),
    pos: Count('Index in the block.'),
  },
  { title: 'MerkleProof' },
);

/** Whether and where an output is spent. */
export const EsploraOutspend = Strict(
  {
    spent: Type.Boolean({ description: 'Whether it is spent, in the chain or in the mempool.' }),
    txid: Type.Optional(Hash('The transaction that spends it.')),
    vin: Type.Optional(Count('Index of its input.')),
    status: Type.Optional(EsploraStatus),
  },
  { title: 'Outspend' },
);

const Totals = Strict(
  {
    tx_count: Count('Transactions.'),
    funded_txo_count: Count('Outputs that pay it.'),
    funded_txo_sum: BaseUnits('Their sum.'),
    spent_txo_count: Count('Of its outputs, how many were spent.'),
    spent_txo_sum: BaseUnits('Their sum.'),
  },
  { title: 'Totals' },
);

/** An address, or a script hash. */
export const EsploraAddress = Strict(
  {
    address: Type.Optional(Type.String({ description: 'The address that was asked for.' })),
    scripthash: Type.Optional(Type.String({ description: 'The script hash that was asked for.' })),
    chain_stats: Totals,
    mempool_stats: Totals,
  },
  { title: 'Address' },
);

/** An unspent output. */
export const EsploraUtxo = Strict(
  {
    txid: Hash('Transaction of the output.'),
    vout: Count('Index of the output.'),
    status: EsploraStatus,
    value: BaseUnits('Value.'),
  },
  { title: 'Utxo' },
);

/** The mempool in sums. */
export const EsploraMempool = Strict(
  {
    count: Count('Transactions.'),
    vsize: Count('Virtual bytes.'),
    total_fee: BaseUnits('Fees.'),
    fee_histogram: Type.Array(Type.Array(Type.Number()), {
      description:
        'Pairs of a fee rate in base units per virtual byte and the virtual bytes that pay at least it.',
    }),
  },
  { title: 'Mempool' },
);

/** A transaction that came lately. */
export const EsploraRecent = Strict(
  {
    txid: Hash('Id.'),
    fee: BaseUnits('Fee.'),
    vsize: Count('Virtual bytes.'),
    value: BaseUnits('Sum of the outputs.'),
  },
  { title: 'RecentTransaction' },
);

/** Fee rates by target. */
export const EsploraFees = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'number' },
  description: 'Target in blocks -> base units per virtual byte.',
});

/** Fee rates by how soon a transaction is wanted in a block, base units per virtual byte, in whole ones. */
export const EsploraRecommendedFees = Strict({
  fastestFee: Count('For the next block.'),
  halfHourFee: Count('For one of the next three blocks.'),
  hourFee: Count('For one of the next six blocks.'),
  economyFee: Count('For one of the next 144 blocks.'),
  minimumFee: Count('The least that the node relays now.'),
});

/** What a text is as an address; of one that is none nothing but that. */
export const EsploraValidAddress = Type.Object(
  {
    isvalid: Type.Boolean({ description: 'Whether it is an address of this coin.' }),
    address: Type.Optional(Type.String({ description: 'The address as it is written canonically.' })),
    scriptPubKey: Type.Optional(Type.String({ description: 'Its script, hex.' })),
    isscript: Type.Optional(Type.Boolean({ description: 'Whether a hash of a script is in it.' })),
    iswitness: Type.Optional(Type.Boolean({ description: 'Whether it is a witness program.' })),
    witness_version: Type.Optional(Type.Integer({ minimum: 0, maximum: 16 })),
    witness_program: Type.Optional(Type.String({ description: 'Hex.' })),
  },
  { additionalProperties: false },
);

const height = Type.Integer({ minimum: 0, maximum: 999_999_999, description: 'Height.' });
const index = Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Index, from 0.' });
const hash = Hash('Hash of a block: 64 hex digits.');
const scripthash = Type.String({
  pattern: '^[0-9a-fA-F]{64}$',
  description: 'SHA-256 of the script, hex, not reversed.',
});

/** Paths. */
export const HeightParams = Strict({ height });
export const HashParams = Strict({ hash });
export const HashIndexParams = Strict({ hash, index });
export const EsploraTxParams = Strict({ txid: TxidParameter });
export const OutputParams = Strict({ txid: TxidParameter, vout: index });
export const OwnerParams = {
  address: Strict({ address: AddressParameter }),
  scripthash: Strict({ scripthash }),
};
export const OwnerAfterParams = {
  address: Strict({ address: AddressParameter, last_seen_txid: TxidParameter }),
  scripthash: Strict({ scripthash, last_seen_txid: TxidParameter }),
};

/** Path of `/v1/validate-address`: anything that could be meant for an address. */
export const ValidateParams = Strict({
  address: Type.String({ minLength: 1, maxLength: 128, description: 'What may be an address.' }),
});

/** Body of POST /tx: the transaction in hex. */
export const EsploraTxBody = Type.String({
  minLength: 20,
  maxLength: 2_000_000,
  pattern: '^\\s*[0-9a-fA-F]+\\s*$',
  description: 'The signed transaction, serialised, in hex.',
});

export type EsploraStatusJson = Static<typeof EsploraStatus>;
export type EsploraOutputJson = Static<typeof EsploraOutput>;
export type EsploraInputJson = Static<typeof EsploraInput>;
export type EsploraTxJson = Static<typeof EsploraTx>;
export type EsploraBlockJson = Static<typeof EsploraBlock>;
export type EsploraOutspendJson = Static<typeof EsploraOutspend>;
export type EsploraTotalsJson = Static<typeof Totals>;
