import { BlockFees, type BlockFeesJson, BlockParams } from '@coinfront/api/chain-blocks.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { formatFeeRate } from '@coinfront/protocol/relay-rules.ts';
import type { FastifyInstance } from 'fastify';
import { findAtShares } from '../../chain/block-fee-rates.ts';
import { confirmationsAt, getBlockById } from '../../chain/chain-reads.ts';
import type { TxSummary } from '../../chain/chain-view.ts';
import { ratesOf } from '../../chain/sort-block-txs.ts';
import { registerRead } from '../../http/read-route.ts';
import { buriedConfirmations } from '../../http/snapshot.ts';
import type { ChainContext } from './chain-context.ts';
import { blockFeesExample } from './examples-blocks.ts';

/** `/block/{id}/fees`. */
export function registerBlockFeesRoute(app: FastifyInstance, context: ChainContext): void {
  registerRead(app, context, {
    path: '/block/:id/fees',
    params: BlockParams,
    response: BlockFees,
    dependsOn: 'tip',
    cost: { reserve: 5, rowsOfUnit: 1_000, of: 'transactions of the block' },
    operation: {
      document: 'chain',
      id: 'getBlockFees',
      tag: 'Blocks',
      summary: 'Fee rates of a block',
      description:
        'Lowest, median and highest rate of its transactions, and what lies between, by virtual bytes. The coinbase does not count, nor does the HogEx of Litecoin.',
      errors: ['block_not_found'],
      parameterExamples: { id: 812345 },
      example: blockFeesExample,
    },
    async read({ view, tip, params, keep, countRows }) {
      const block = await getBlockById(view, params.id);
      countRows(block.txCount);
      if (confirmationsAt(block.height, tip) >= buriedConfirmations) keep('buried');
      return {
        hash: toDisplayHash(block.hash),
        height: block.height,
        tx_count: block.txCount,
        fee_rates: describeRates((await view.listBlockTxs(block, 0, block.txCount)).filter(ratesOf(block))),
      };
    },
  });
}

function describeRates(txs: readonly TxSummary[]): BlockFeesJson['fee_rates'] {
  const paying = txs.flatMap(({ fee, weight }) => (fee === undefined ? [] : [{ fee, weight }]));
  const found = findAtShares(
    paying.map(({ fee }) => fee),
    paying.map(({ weight }) => weight),
    [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1],
  );
  if (found === undefined) return null;
  const [lowest = '', p10 = '', p25 = '', median = '', p75 = '', p90 = '', highest = ''] = found.map((i) =>
    formatFeeRate(paying[i]!.fee, paying[i]!.weight),
  );
  return { lowest, p10, p25, median, p75, p90, highest };
}
