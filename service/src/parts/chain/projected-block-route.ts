import { ProjectedBlock, ProjectedBlockParams } from '@coinfront/api/chain-mempool.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { registerRead } from '../../http/read-route.ts';
import type { ChainContext } from './chain-context.ts';
import { projectedBlockExample } from './examples-mempool.ts';

/** `/mempool/blocks/{number}`. */
export function registerProjectedBlockRoute(app: FastifyInstance, context: ChainContext): void {
  const { decimals } = context.profile;
  registerRead(app, context, {
    path: '/mempool/blocks/:number',
    params: ProjectedBlockParams,
    response: ProjectedBlock,
    dependsOn: 'mempool',
    cost: { reserve: 11, rowsOfUnit: 1_000, of: 'transactions' },
    operation: {
      document: 'chain',
      id: 'getProjectedBlock',
      tag: 'Fees',
      summary: 'What a block to come would hold',
      description:
        'The mempool by fee rate, highest first, cut into blocks of 1,000,000 virtual bytes: the transactions of one of them. A ' +
        'transaction is in the block in which its first byte lies. Each goes by its own fee rate: one that a child pays for is not ahead of it.',
      errors: [],
      parameterExamples: { number: 1 },
      example: projectedBlockExample,
    },
    async read({ view, params, countRows }) {
      const { number } = params;
      const { blocks, txs, vsize, fees, listed } = await view.readProjectedBlock(number);
      countRows(listed.length);
      return {
        number,
        block_count: blocks,
        tx_count: txs,
        vsize,
        fees: formatAmount(fees, decimals),
        transactions: listed.map((tx) => ({
          txid: toDisplayHash(tx.txid),
          vsize: tx.vsize,
          fee: formatAmount(tx.fee, decimals),
          per_vb: formatAmount((tx.fee * 1_000n) / BigInt(tx.vsize), 3),
        })),
      };
    },
  });
}
