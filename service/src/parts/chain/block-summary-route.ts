import { BlockParams, BlockTxSummary } from '@coinfront/api/chain-blocks.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { formatFeeRate } from '@coinfront/protocol/relay-rules.ts';
import type { FastifyInstance } from 'fastify';
import { confirmationsAt, getBlockById } from '../../chain/chain-reads.ts';
import { type BlockTxQuery, ratesOf, sortBlockTxs } from '../../chain/sort-block-txs.ts';
import { registerRead } from '../../http/read-route.ts';
import { buriedConfirmations } from '../../http/snapshot.ts';
import type { ChainContext } from './chain-context.ts';
import { blockSummaryExample } from './examples-blocks.ts';

const MOST = 10_000;
const DEAREST_FIRST: BlockTxQuery = {
  ...{ sort: 'fee_rate', order: 'desc' },
  ...{ minMilliRate: undefined, minOutputValue: undefined },
};

/** `/block/{id}/summary`. */
export function registerBlockSummaryRoute(app: FastifyInstance, context: ChainContext): void {
  const { decimals } = context.profile;
  registerRead(app, context, {
    path: '/block/:id/summary',
    params: BlockParams,
    response: BlockTxSummary,
    dependsOn: 'tip',
    cost: { reserve: 20, rowsOfUnit: 500, of: 'transactions of the block' },
    operation: {
      document: 'chain',
      id: 'getBlockSummary',
      tag: 'Blocks',
      summary: 'All transactions of a block in short',
      description:
        'Size and fee of each transaction at once, to draw the block by: what `/mempool/blocks/{number}` is of a block to come.',
      errors: ['block_not_found'],
      parameterExamples: { id: 812345 },
      example: blockSummaryExample,
    },
    async read({ view, tip, params, keep, countRows }) {
      const block = await getBlockById(view, params.id);
      countRows(block.txCount);
      const hasRate = ratesOf(block);
      const txs = await view.listBlockTxs(block, 0, block.txCount);
      if (confirmationsAt(block.height, tip) >= buriedConfirmations) keep('buried');
      return {
        hash: toDisplayHash(block.hash),
        height: block.height,
        tx_count: block.txCount,
        transactions: sortBlockTxs(txs.filter(hasRate), DEAREST_FIRST, hasRate)
          .slice(0, MOST)
          .map(({ txid, weight, fee = 0n }) => ({
            txid: toDisplayHash(txid),
            vsize: Math.ceil(weight / 4),
            fee: formatAmount(fee, decimals),
            fee_rate: formatFeeRate(fee, weight),
          })),
      };
    },
  });
}
