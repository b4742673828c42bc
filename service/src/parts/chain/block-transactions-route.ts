import {
  BlockParams,
  BlockTransactionList,
  BlockTransactionsQuery,
  type BlockTransactionsQueryJson,
} from '@coinfront/api/chain-blocks.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { formatFeeRate } from '@coinfront/protocol/relay-rules.ts';
import type { FastifyInstance } from 'fastify';
import { confirmationsAt, getBlockById } from '../../chain/chain-reads.ts';
import type { BlockRecord } from '../../chain/chain-view.ts';
import { type BlockTxQuery, ratesOf, sortBlockTxs } from '../../chain/sort-block-txs.ts';
import { AppError } from '../../errors.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { buriedConfirmations } from '../../http/snapshot.ts';
import type { ChainContext } from './chain-context.ts';
import { blockTransactionsExample } from './examples-blocks.ts';
import { serialiseBlockTx } from './serialise-block.ts';

const KIND = 'block-txs-by';
/** Of fee rates, as the API writes them. */
const RATE_DECIMALS = 3;

/** `/block/{id}/transactions`. */
export function registerBlockTransactionsRoute(app: FastifyInstance, context: ChainContext): void {
  const { decimals } = context.profile;
  registerRead(app, context, {
    path: '/block/:id/transactions',
    params: BlockParams,
    query: BlockTransactionsQuery,
    response: BlockTransactionList,
    dependsOn: 'tip',
    cost: { reserve: 5, rowsOfUnit: 1_000, of: 'transactions of the block' },
    operation: {
      document: 'chain',
      id: 'listBlockTransactions',
      tag: 'Blocks',
      summary: 'Transactions of a block, sorted and filtered',
      description:
        'By their place in the block, fee rate, fee, sum of outputs or virtual size; all, or those from a fee rate or a sum on. ' +
        'A cursor is good for the block and the query that it was made for.',
      errors: ['block_not_found', 'invalid_cursor'],
      parameterExamples: { id: 812345, sort: 'fee_rate' },
      example: blockTransactionsExample,
    },
    async read({ view, tip, params, query, keep, countRows }) {
      const asked = readQuery(query, decimals);
      const block = await getBlockById(view, params.id);
      const subject = nameList(block, asked);
      const from = decodeCursor(KIND, subject, query.cursor, 1)?.[0] ?? 0;
      countRows(block.txCount);
      const hasRate = ratesOf(block);
      const txs = sortBlockTxs(await view.listBlockTxs(block, 0, block.txCount), asked, hasRate);
      const page = txs.slice(from, from + (query.limit ?? pageLimits.default));
      const end = from + page.length;
      if (confirmationsAt(block.height, tip) >= buriedConfirmations) keep('buried');
      return {
        hash: toDisplayHash(block.hash),
        height: block.height,
        tx_count: block.txCount,
        matches: txs.length,
        items: page.map((tx) => ({
          ...serialiseBlockTx(tx, decimals),
          fee_rate: hasRate(tx) ? formatFeeRate(tx.fee ?? 0n, tx.weight) : null,
        })),
        next_cursor: page.length > 0 && end < txs.length ? encodeCursor(KIND, subject, [end]) : null,
      };
    },
  });
}

function readQuery(query: BlockTransactionsQueryJson, decimals: number): BlockTxQuery {
  const sort = query.sort ?? 'position';
  return {
    sort,
    order: query.order ?? (sort === 'position' ? 'asc' : 'desc'),
    minMilliRate: readLeast('min_fee_rate', query.min_fee_rate, RATE_DECIMALS),
    minOutputValue: readLeast('min_output_value', query.min_output_value, decimals),
  };
}

/** @throws AppError `invalid_parameter` */
function readLeast(name: string, text: string | undefined, decimals: number): bigint | undefined {
  if (text === undefined) return undefined;
  const least = parseAmount(text, decimals);
  if (!least.ok) throw new AppError('invalid_parameter', `${name}: ${least.reason}.`);
  return least.value;
}

function nameList(
  { hash }: BlockRecord,
  { sort, order, minMilliRate, minOutputValue }: BlockTxQuery,
): string {
  return [toDisplayHash(hash), sort, order, minMilliRate ?? '', minOutputValue ?? ''].join(' ');
}
