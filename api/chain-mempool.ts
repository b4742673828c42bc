/** The chain API: schemas of the mempool. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Strict } from './common.ts';

/** Projected blocks that can be looked into. */
export const maxProjectedBlock = 8;

/** Path of /mempool/blocks/{number}. */
export const ProjectedBlockParams = Strict({
  number: Type.Integer({
    minimum: 1,
    maximum: maxProjectedBlock,
    description: 'Which block from now, 1 for the next one.',
  }),
});

/** A transaction of a projected block. */
export const ProjectedTransaction = Strict(
  {
    txid: Hash('Id of the transaction.'),
    vsize: Count('Virtual bytes.'),
    fee: Amount('Fee that it pays.'),
    per_vb: Type.String({
      description: 'Its fee rate: base units per virtual byte, 3 decimals, rounded down.',
    }),
  },
  { title: 'ProjectedTransaction' },
);

/** Answer of /mempool/blocks/{number}. */
export const ProjectedBlock = Strict(
  {
    number: Count('Which block from now, 1 for the next one.'),
    block_count: Count('Blocks that the mempool would fill.'),
    tx_count: Count('Transactions of this block; 0 where the mempool does not fill so many blocks.'),
    vsize: Count('Sum of their virtual bytes.'),
    fees: Amount('Sum of their fees.'),
    transactions: Type.Array(ProjectedTransaction, {
      description: 'Highest fee rate first, 10,000 at most; `tx_count` says how many there are.',
    }),
  },
  { title: 'ProjectedBlock' },
);

export type ProjectedBlockJson = Static<typeof ProjectedBlock>;
export type ProjectedTransactionJson = Static<typeof ProjectedTransaction>;
