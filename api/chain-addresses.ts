/** The chain API: schemas of addresses, their outputs, history and payouts. */

import Type, { type Static } from 'typebox';
import { TxBlock } from './chain-transactions.ts';
import { Amount, Count, Hash, Hex, Nullable, OneOf, SignedAmount, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';

/** Totals of an address over the chain, or over the mempool. */
export const AddressTotals = Strict(
  {
    tx_count: Count('Transactions that touch the address.'),
    received_count: Count('Outputs that pay it.'),
    received: Amount('Their sum.'),
    spent_count: Count('Of its outputs, how many were spent.'),
    spent: Amount('Their sum.'),
    balance: SignedAmount('received - spent. In the mempool it is the change to come, and may be negative.'),
  },
  { title: 'AddressTotals' },
);

/** One unspent output. */
export const UtxoView = Strict(
  {
    txid: Hash('Transaction of the output.'),
    vout: Count('Index of the output.'),
    value: Amount('Value.'),
    height: Nullable(Count('Block of the transaction; null while it is in the mempool.')),
    confirmations: Count('0 while it is in the mempool.'),
    coinbase: Type.Boolean({ description: 'Whether it was made by a coinbase.' }),
    spendable: Type.Boolean({ description: 'Mature for the next block, and not spent in the mempool.' }),
    spent_in_mempool: Type.Boolean({ description: 'Whether a transaction in the mempool spends it.' }),
    spendable_from_height: Nullable(
      Count(
        'For a coinbase, and for what came out of an extension block: the first height that may spend it. Null for others.',
      ),
    ),
  },
  { title: 'Utxo' },
);

const addressFields = {
  address: Type.String({ description: 'The address in its usual form.' }),
  script: Hex('The scriptPubKey that the address stands for.'),
  script_type: Type.String({ description: "Kind of the script in the node's words." }),
};

/** Answer of /address/{address}. */
export const AddressSummary = Strict(
  {
    ...addressFields,
    balance: Amount('Confirmed balance, immature coinbases included.'),
    confirmed: AddressTotals,
    mempool: AddressTotals,
    utxos: Strict(pageOf(UtxoView), {
      description:
        'First page of all unspent outputs: confirmed ones from the oldest, then those in the mempool.',
    }),
  },
  { title: 'AddressSummary' },
);

/** Answer of /utxos/{address}. */
export const UtxoList = Strict({ ...addressFields, ...pageOf(UtxoView) }, { title: 'UtxoList' });

/** One line of an address's history. */
export const AddressTransaction = Strict(
  {
    txid: Hash('Id of the transaction.'),
    delta: SignedAmount('Net effect on the balance of the address.'),
    confirmed: Type.Boolean({
      description: 'Whether it is in a block of the best chain; otherwise in the mempool.',
    }),
    confirmations: Count('0 in the mempool.'),
    block: Nullable(TxBlock),
    first_seen: Nullable(Time('When this service first saw it in the mempool; null once confirmed.')),
    balance: Type.Optional(
      Nullable(
        Amount(
          'Confirmed balance of the address behind it; only where `balances` asks for it. Null in the mempool.',
        ),
      ),
    ),
  },
  { title: 'AddressTransaction' },
);

const Day = (description: string) =>
  Type.String({
    minLength: 10,
    maxLength: 10,
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    description,
  });

const historyFilter = {
  direction: Type.Optional(
    OneOf(['received', 'sent'] as const, {
      description: 'Only transactions that add to the balance of the address, or that take from it.',
    }),
  ),
  from_date: Type.Optional(
    Day(
      'First day, YYYY-MM-DD in UTC, by the median time past of blocks. What is in the mempool is of today.',
    ),
  ),
  to_date: Type.Optional(Day('Last day, counted as well. With it nothing of the mempool is listed.')),
};

/** Query of /address/{address}/transactions.csv. */
export const AddressTableQuery = Strict(historyFilter);

/** Query of /address/{address}/txs. */
export const AddressTxQuery = Strict({
  ...pageParameters,
  ...historyFilter,
  balances: Type.Optional(
    OneOf(['true', 'false'] as const, {
      default: 'false',
      description: 'Whether each confirmed line has the balance behind it.',
    }),
  ),
});

/** Points of a chart of balances. */
export const balancePoints = { default: 150, max: 300 } as const;

/** Query of /address/{address}/balances. */
export const BalancesQuery = Strict({
  points: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: balancePoints.max,
      default: balancePoints.default,
      description: `Points at most; ${balancePoints.default} unless given.`,
    }),
  ),
});

/** Answer of /address/{address}/balances. */
export const AddressBalances = Strict(
  {
    address: addressFields.address,
    from_height: Nullable(
      Count('First block that a point stands for; null for an address that the chain never paid.'),
    ),
    to_height: Count('Last block: the tip.'),
    blocks_per_point: Count('1, 2 or 5 times a power of ten; the last point may have fewer.'),
    points: Type.Array(
      Strict(
        {
          height: Count('The last of its blocks.'),
          time: Time('Median time past of that block (BIP-113), which never runs backwards.'),
          balance: Amount('Balance of the address behind that block.'),
        },
        { title: 'BalancePoint' },
      ),
      { description: 'Oldest first, from the first transaction of the address on.' },
    ),
  },
  { title: 'AddressBalances' },
);

/** Answer of /address/{address}/txs. */
export const AddressTxList = Strict(pageOf(AddressTransaction), { title: 'AddressTransactionList' });

/** Blocks that /mining/address looks at. */
export const scanLimits = { default: 10_000, max: 1_000_000 } as const;

/** Query of /mining/address/{address}. */
export const PayoutQuery = Strict({
  ...pageParameters,
  scan: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: scanLimits.max,
      default: scanLimits.default,
      description: `How many of the latest blocks are looked at; ${scanLimits.default} unless given, at most ${scanLimits.max}.`,
    }),
  ),
});

/** Answer of /mining/address/{address}. */
export const PayoutList = Strict(
  {
    address: addressFields.address,
    totals: Strict(
      {
        blocks: Count('Blocks whose coinbase pays the address, over the whole chain.'),
        value: Amount('Sum of all these payouts.'),
        first_height: Nullable(Count('The first of them.')),
        last_height: Nullable(Count('The latest of them.')),
      },
      { title: 'PayoutTotals' },
    ),
    scanned: Strict({
      from_height: Count('Lowest height looked at.'),
      to_height: Count('Highest height looked at: the tip.'),
    }),
    ...pageOf(
      Strict(
        {
          height: Count('Height of the block.'),
          block_hash: Hash('Hash of the block.'),
          time: Time('What the miner wrote.'),
          txid: Hash('The coinbase.'),
          vout: Count('The output that pays.'),
          value: Amount('What it pays.'),
          confirmations: Count('Blocks from this one to the tip, both counted.'),
          mature: Type.Boolean({ description: 'Whether the next block may spend it.' }),
        },
        { title: 'CoinbasePayout' },
      ),
    ),
  },
  { title: 'PayoutList' },
);

export type UtxoJson = Static<typeof UtxoView>;
export type AddressTotalsJson = Static<typeof AddressTotals>;
export type AddressTransactionJson = Static<typeof AddressTransaction>;
export type AddressBalancesJson = Static<typeof AddressBalances>;
export type PayoutListJson = Static<typeof PayoutList>;
