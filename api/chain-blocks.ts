/** The chain API: schemas of blocks. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Hex, Nullable, OneOf, SignedAmount, Strict, Time } from './common.ts';
import { LimitParameter, pageOf, pageParameters } from './paging.ts';

const blockFields = {
  hash: Hash('Hash of the block.'),
  height: Count('Height; genesis is 0.'),
  confirmations: Count('Blocks from this one to the tip, both counted.'),
  time: Time('What the miner wrote into the header.'),
  median_time: Time('Median of the times of this block and the ten before it (BIP-113).'),
  tx_count: Count('Transactions in the block, the coinbase included.'),
  size: Count('Bytes of the block with witnesses.'),
  weight: Count('Weight units (BIP-141).'),
  difficulty: Type.Number({ description: 'Work relative to the easiest target, as the node computes it.' }),
  fees: Amount('Fees that the transactions of the block pay.'),
  coinbase_value: Amount('What the coinbase pays out: new coins and fees.'),
  issued: SignedAmount(
    'New coins: what the coinbase pays out less the fees. Negative where a miner left more than the subsidy unclaimed.',
  ),
  coinbase_tag: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description:
        'Text that the miner wrote into the coinbase, often the name of a pool: the longest run of printable ASCII in its input script. Nobody checks it, so it proves nothing. Null where there is none.',
    }),
  ),
};

/** One block in a list. */
export const BlockSummary = Strict(blockFields, { title: 'BlockSummary' });

const transactionFields = {
  txid: Hash('Id of the transaction.'),
  position: Count('Index in the block; 0 is the coinbase.'),
  output_value: Amount('Sum of the outputs.'),
  fee: Nullable(Amount('Fee; null for the coinbase.')),
  weight: Count('Weight units (BIP-141).'),
  vsize: Count('Virtual bytes: weight / 4, rounded up.'),
};

/** A transaction in the list of its block. */
export const BlockTransaction = Strict(transactionFields, { title: 'BlockTransaction' });

/** A block with a page of its transactions. */
export const BlockDetail = Strict(
  {
    ...blockFields,
    version: Type.Integer({ description: 'Version of the header, signed.' }),
    merkle_root: Hash('Root of the txids.'),
    bits: Type.String({ description: 'Compact target, 8 hex digits.' }),
    nonce: Count('Nonce of the header.'),
    chainwork: Type.String({ description: 'Work of the chain up to this block: 64 hex digits.' }),
    stripped_size: Count('Bytes of the block without witnesses.'),
    previous_hash: Nullable(Hash('The block below; null for genesis.')),
    next_hash: Nullable(Hash('The block above; null at the tip.')),
    header: Hex('The 80 bytes of the header.'),
    transactions: Strict(pageOf(BlockTransaction)),
  },
  { title: 'Block' },
);

/** Answer of /blocks. */
export const BlockList = Strict(pageOf(BlockSummary), { title: 'BlockList' });
/** Path of /block/{id}. */
export const BlockParams = Strict({
  id: Type.String({
    pattern: '^([0-9]{1,9}|[0-9a-fA-F]{64})$',
    minLength: 1,
    maxLength: 64,
    description: 'Height, or hash of 64 hex digits.',
  }),
});

/** Orders of the transactions of a block. */
export const blockTransactionSorts = ['position', 'fee_rate', 'fee', 'output_value', 'vsize'] as const;
export type BlockTransactionSort = (typeof blockTransactionSorts)[number];

const LowestAmount = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$', maxLength: 39, description });

/** Query of /block/{id}/transactions. */
export const BlockTransactionsQuery = Strict({
  sort: Type.Optional(
    OneOf(blockTransactionSorts, {
      default: 'position',
      description: 'What comes before what; those that are alike come in the order of the block.',
    }),
  ),
  order: Type.Optional(
    OneOf(['asc', 'desc'] as const, {
      description: 'The least or the most first: `asc` for `position` unless given, `desc` for all others.',
    }),
  ),
  min_fee_rate: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,9}(\\.[0-9]{1,3})?$',
      maxLength: 13,
      description: 'Only those that pay so many base units per virtual byte, or more.',
    }),
  ),
  min_output_value: Type.Optional(
    LowestAmount('Only those whose outputs have so many coins in sum, or more.'),
  ),
  ...pageParameters,
});

/** Answer of /block/{id}/transactions. */
export const BlockTransactionList = Strict(
  {
    hash: blockFields.hash,
    height: blockFields.height,
    tx_count: blockFields.tx_count,
    matches: Count('Transactions of the block that the query asks for, on all pages together.'),
    ...pageOf(
      Strict(
        {
          ...transactionFields,
          fee_rate: Nullable(
            Type.String({
              description:
                'Base units per virtual byte, 3 decimals, rounded down. Null for the coinbase, and for the HogEx of Litecoin, which carries the fees of an extension block.',
            }),
          ),
        },
        { title: 'RatedTransaction' },
      ),
    ),
  },
  { title: 'BlockTransactionList' },
);

/** Answer of /block/{id}/summary. */
export const BlockTxSummary = Strict(
  {
    hash: blockFields.hash,
    height: blockFields.height,
    tx_count: blockFields.tx_count,
    transactions: Type.Array(
      Strict(
        {
          txid: transactionFields.txid,
          vsize: transactionFields.vsize,
          fee: Amount('Fee that it pays.'),
          fee_rate: Type.String({ description: 'Base units per virtual byte, 3 decimals, rounded down.' }),
        },
        { title: 'BlockTxSummaryItem' },
      ),
      {
        description:
          'Highest fee rate first, 10,000 at most. The coinbase is none of them, and the HogEx of Litecoin neither: they have no fee rate.',
      },
    ),
  },
  { title: 'BlockTxSummary' },
);

const feeRate = (description: string) => Type.String({ description });

/** Answer of /block/{id}/fees. */
export const BlockFees = Strict(
  {
    hash: blockFields.hash,
    height: blockFields.height,
    tx_count: blockFields.tx_count,
    fee_rates: Nullable(
      Strict(
        {
          lowest: feeRate('What the transaction that pays least pays.'),
          p10: feeRate('A tenth of the virtual bytes pay no more.'),
          p25: feeRate('A quarter of the virtual bytes pay no more.'),
          median: feeRate('Half of the virtual bytes pay no more.'),
          p75: feeRate('Three quarters of the virtual bytes pay no more.'),
          p90: feeRate('Nine tenths of the virtual bytes pay no more.'),
          highest: feeRate('What the transaction that pays most pays.'),
        },
        {
          title: 'FeeRates',
          description:
            'Base units per virtual byte, 3 decimals, rounded down, of each transaction by itself; null for a block that has a coinbase only.',
        },
      ),
    ),
  },
  { title: 'BlockFees' },
);

/** A block that left the best chain. */
export const StaleBlockView = Strict(
  {
    hash: Hash('Hash of the block.'),
    height: Count('Its height.'),
    time: Time('What the miner wrote into the header.'),
    tx_count: Count('Transactions in the block, the coinbase included.'),
    previous_hash: Hash('The block below.'),
    header: Hex('The 80 bytes of the header.'),
    left_at: Time('When this service saw it leave.'),
    replaced_by: Nullable(Hash('The block of the best chain at its height; null while that is shorter.')),
  },
  { title: 'StaleBlock' },
);

/** Query of /blocks/stale. */
export const StaleBlocksQuery = Strict({
  limit: Type.Optional(LimitParameter),
  hash: Type.Optional(Hash('Only the block with this hash, if it is one.')),
});

/** Answer of /blocks/stale. */
export const StaleBlockList = Strict(
  { items: Type.Array(StaleBlockView, { description: 'What left last comes first.' }) },
  { title: 'StaleBlockList' },
);

export type BlockFeesJson = Static<typeof BlockFees>;
export type StaleBlockJson = Static<typeof StaleBlockView>;
export type BlockSummaryJson = Static<typeof BlockSummary>;
export type BlockDetailJson = Static<typeof BlockDetail>;
export type BlockTxSummaryJson = Static<typeof BlockTxSummary>;
export type BlockTransactionListJson = Static<typeof BlockTransactionList>;
export type BlockTransactionsQueryJson = Static<typeof BlockTransactionsQuery>;
export type BlockTransactionJson = Static<typeof BlockTransaction>;
