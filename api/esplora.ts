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

/** Where a history goes on: behind this transaction. */
export const AfterTxidQuery = Strict({ after_txid: Type.Optional(TxidParameter) });

/** Path of `/address-prefix`. */
export const AddressPrefixParams = Strict({
  prefix: Type.String({ minLength: 1, maxLength: 128, description: 'An address, or how one begins.' }),
});

/** Txids that one question may have: as many as fit into a URL. */
export const mostTxids = 25;
const txidList = (description: string) =>
  Type.String({
    pattern: `^[0-9a-fA-F]{64}(,[0-9a-fA-F]{64}){0,${mostTxids - 1}}$`,
    maxLength: mostTxids * 65 - 1,
    description,
  });
export const OutspendsQuery = Strict({
  txids: txidList(`1 to ${mostTxids} txids, with commas between them.`),
});
export const TransactionTimesQuery = Strict({
  'txId[]': txidList(`A txid; repeated for each, 1 to ${mostTxids} times.`),
});

/** What a package may at most pay and burn. */
export const EsploraPackageQuery = Strict({
  maxfeerate: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,8}(\\.[0-9]{1,8})?$',
      maxLength: 17,
      description: 'Most that a transaction may pay, coins for 1,000 virtual bytes.',
    }),
  ),
  maxburnamount: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,8}(\\.[0-9]{1,8})?$',
      maxLength: 17,
      description: 'Most coins that an output may burn.',
    }),
  ),
});

/** Body of POST /txs/package: a child behind its parents, in hex. */
export const EsploraPackageBody = Type.Array(
  Type.String({ minLength: 20, maxLength: 2_000_000, pattern: '^[0-9a-fA-F]+$', description: 'Hex.' }),
  { minItems: 1, maxItems: 25, description: 'Signed transactions, parents before their child.' },
);

/** What the node made of a package: its own answer to `submitpackage`. */
export const EsploraPackageAnswer = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'package_msg, tx-results by wtxid, and replaced-transactions, as the node writes them.',
});

/** Body of POST /tx: the transaction in hex. */
export const EsploraTxBody = Type.String({
  minLength: 20,
  maxLength: 2_000_000,
  pattern: '^\\s*[0-9a-fA-F]+\\s*$',
  description: 'The signed transaction, serialised, in hex.',
});

/** A confirmed transaction of a script in a line. */
export const EsploraSummaryEntry = Strict(
  {
    txid: Hash('Id.'),
    height: Count('Height of its block.'),
    value: Type.Integer({
      description: 'What it did to the balance, in base units; negative for a payment.',
    }),
    time: Count('Time of its block, seconds since 1970.'),
    tx_position: Count('Index in the block.'),
  },
  { title: 'SummaryEntry' },
);

/** What mempool.space adds to a block, as far as it is known here. */
export const EsploraBlockExtras = Strict(
  {
    totalFees: BaseUnits('Fees of its transactions.'),
    avgFee: BaseUnits('Fees for a transaction, rounded down; 0 for a coinbase alone.'),
    reward: BaseUnits('What its coinbase pays out.'),
    coinbaseRaw: Hex('Script of the input of its coinbase.'),
    coinbaseAddress: Nullable(Type.String({ description: 'First address that the coinbase pays.' })),
    coinbaseAddresses: Type.Array(Type.String(), { description: 'Addresses that the coinbase pays.' }),
    header: Hex('Its 80 bytes.'),
    utxoSetSize: Count('Unspent outputs of the chain up to it.'),
  },
  { title: 'BlockExtras' },
);

/** A block with what mempool.space adds. */
export const EsploraExtendedBlock = Strict(
  { ...EsploraBlock.properties, extras: EsploraBlockExtras },
  { title: 'ExtendedBlock' },
);

const Relative = Strict(
  { txid: Hash('Id.'), fee: BaseUnits('Fee.'), weight: Count('Weight units.') },
  { title: 'RelatedTransaction' },
);

/** What a transaction of the mempool hangs on, and what hangs on it. */
export const EsploraCpfp = Strict(
  {
    ancestors: Type.Array(Relative),
    descendants: Type.Optional(Type.Array(Relative)),
    bestDescendant: Type.Optional(Nullable(Relative)),
    fee: Type.Optional(BaseUnits('Its own fee.')),
    adjustedVsize: Type.Optional(Type.Number({ description: 'A quarter of its weight.' })),
    effectiveFeePerVsize: Type.Optional(
      Type.Number({
        description:
          'Rate of what it would be mined with, base units per virtual byte. Absent where more than 101 transactions hang together.',
      }),
    ),
  },
  { title: 'Cpfp' },
);

/** A block's worth of the mempool. */
export const EsploraMempoolBlock = Strict(
  {
    blockSize: Nullable(Count('Bytes: not known, null.')),
    blockVSize: Count('Virtual bytes.'),
    nTx: Count('Transactions; where a step of the histogram is divided, its share.'),
    totalFees: Nullable(BaseUnits('Fees, where the whole mempool is in it; otherwise null.')),
    medianFee: Type.Number({ description: 'Rate at its middle, base units for a virtual byte.' }),
    feeRange: Type.Array(Type.Number(), {
      description: 'Rates in it, lowest first: bounds of the histogram.',
    }),
  },
  { title: 'MempoolBlock' },
);

/** How far the period of the difficulty is, and what would come of it. */
export const EsploraDifficulty = Strict(
  {
    progressPercent: Type.Number({ description: 'Of the period.' }),
    difficultyChange: Type.Number({
      description: 'Change at the next adjustment, per cent, if blocks come as they did.',
    }),
    estimatedRetargetDate: Type.Number({ description: 'When that would be, milliseconds since 1970.' }),
    remainingBlocks: Count('Blocks of the period to come.'),
    remainingTime: Type.Number({ description: 'Milliseconds to the next adjustment.' }),
    previousRetarget: Type.Number({ description: 'The last change, per cent; 0 in the first period.' }),
    previousTime: Count('When the period began, seconds since 1970.'),
    nextRetargetHeight: Count('Height of the next adjustment.'),
    timeAvg: Type.Number({ description: 'Milliseconds for a block in this period.' }),
    adjustedTimeAvg: Type.Number({ description: 'The same.' }),
    timeOffset: Type.Number({ description: '0.' }),
    expectedBlocks: Type.Number({ description: 'Blocks that should have come in this period.' }),
  },
  { title: 'DifficultyAdjustment' },
);

export type EsploraStatusJson = Static<typeof EsploraStatus>;
export type EsploraOutputJson = Static<typeof EsploraOutput>;
export type EsploraInputJson = Static<typeof EsploraInput>;
export type EsploraTxJson = Static<typeof EsploraTx>;
export type EsploraBlockJson = Static<typeof EsploraBlock>;
export type EsploraOutspendJson = Static<typeof EsploraOutspend>;
export type EsploraTotalsJson = Static<typeof Totals>;
export type EsploraSummaryEntryJson = Static<typeof EsploraSummaryEntry>;
export type EsploraExtendedBlockJson = Static<typeof EsploraExtendedBlock>;
export type EsploraCpfpJson = Static<typeof EsploraCpfp>;
export type EsploraMempoolBlockJson = Static<typeof EsploraMempoolBlock>;
export type EsploraDifficultyJson = Static<typeof EsploraDifficulty>;
export type EsploraPackageAnswerJson = Static<typeof EsploraPackageAnswer>;
