/** The chain API: schemas of what becomes of a transaction before a block has it. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Nullable, OneOf, Strict, Time } from './common.ts';

const feeRate = (description: string) =>
  Type.String({ description: `${description} Base units per virtual byte, 3 decimals, rounded down.` });

/** Transactions of the mempool that hang together with one. */
export const TxRelatives = Strict(
  {
    count: Count('How many.'),
    vsize: Count('Their virtual bytes.'),
    fees: Amount('Their fees.'),
    items: Type.Array(
      Strict({
        txid: Hash('Id of the transaction.'),
        vsize: Count('Its virtual bytes.'),
        fee: Amount('Its fee.'),
        fee_rate: feeRate('What it pays itself.'),
      }),
      { description: 'Nearest first; 100 at most.' },
    ),
  },
  { title: 'TxRelatives' },
);

/** One transaction that was replaced. */
export const ReplacedTx = Strict(
  {
    txid: Hash('The transaction that was replaced.'),
    replaced_by: Hash('The one that has its place.'),
    direct: Type.Boolean({
      description: 'Whether both spend the same output; otherwise it built on one that was replaced.',
    }),
    time: Time('When this service saw it.'),
    fee: Amount('What the replaced one paid.'),
    fee_rate: feeRate('Its rate.'),
    vsize: Count('Its virtual bytes.'),
  },
  { title: 'ReplacedTransaction' },
);

/** Replacements that an answer lists. */
export const replacedLimit = 100;

/** Answer of /tx/{txid}/mempool. */
export const TxMempool = Strict(
  {
    txid: Hash('Id of the transaction.'),
    state: OneOf(['waiting', 'confirmed', 'replaced'] as const, {
      description:
        'waiting: in the mempool. confirmed: in a block of the best chain. replaced: in neither; another transaction has its place.',
    }),
    fee_rate: Nullable(feeRate('What it pays itself; null unless it waits.')),
    effective_fee_rate: Nullable(
      feeRate(
        'What counts for its place: the rate of the package that it would be mined with, ancestors and children that pay for it included. Null unless it waits, and where more than 101 transactions hang together.',
      ),
    ),
    place: Nullable(
      Strict(
        {
          vsize_ahead_least: Count(
            'Virtual bytes of transactions that are known to pay more by themselves: those in higher steps of the histogram of fee rates.',
          ),
          vsize_ahead_most: Count('The same with all others in its own step.'),
          block: Count('The block it would be in with the most ahead; 1 is the next.'),
          mempool_vsize: Count('Virtual bytes of the whole mempool.'),
        },
        {
          title: 'MempoolPlace',
          description: 'Its place by effective_fee_rate; null where that is.',
        },
      ),
    ),
    ancestors: Nullable(TxRelatives),
    descendants: Nullable(TxRelatives),
    replaced_by: Nullable(ReplacedTx),
    replaced: Type.Array(ReplacedTx, {
      description:
        `What it replaced, and what those had replaced before; nearest first, ${replacedLimit} at most. The service remembers the latest 10,000 ` +
        'replacements that it saw, for 48 hours: an empty list does not say that there were none.',
    }),
  },
  { title: 'TransactionInMempool' },
);

export type TxMempoolJson = Static<typeof TxMempool>;
export type TxRelativesJson = Static<typeof TxRelatives>;
export type ReplacedTxJson = Static<typeof ReplacedTx>;
