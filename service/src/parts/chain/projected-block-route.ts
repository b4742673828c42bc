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
    cost: { reserve: 35, rowsOfUnit: 4_000, of: 'transactions that are looked through' },
    operation: {
      document: 'chain',
      id: 'getProjectedBlock',
      tag: 'Fees',
      summary: 'Transactions of a projected block',
      description:
        'The mempool, highest fee rate first, is cut into blocks of 1,000,000 virtual bytes; this lists the transactions of one. A transaction is ' +
        'in the block in which its first byte lies. Its own fee rate counts: a child that pays for it (CPFP) does not move it forward.',
      errors: [],
      parameterExamples: { number: 1 },
      example: projectedBlockExample,
    },
    async read({ view, params, countRows }) {
      const { number } = params;
      const { blocks, rowsRead, txs, vsize, fees, listed } = await view.readProjectedBlock(number);
      countRows(rowsRead);
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
