import type {
  BlockParams,
  BlockTransactionListJson,
  BlockTransactionsQuery,
} from '@coinfront/api/chain-blocks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListBlockTransactionsParams = ParamsOf<typeof BlockTransactionsQuery> &
  Omit<ParamsOf<typeof BlockParams>, 'id'> & { id: string | number };
export type ListBlockTransactionsResult = BlockTransactionListJson;
export type ListBlockTransactionsError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'block_not_found'
>;

/**
 * Transactions of a block, sorted and filtered.
 *
 * By their place in the block, fee rate, fee, sum of outputs or virtual size; all, or those from a fee rate or a sum on. A
 * cursor is good for the block and the query that it was made for.
 *
 * @throws {ListBlockTransactionsError}
 * @example
 * const { items } = await listBlockTransactions(client, { id: 812345, sort: 'fee_rate', limit: 10 });
 */
export function listBlockTransactions(
  client: Client,
  params: ListBlockTransactionsParams,
  options?: CallOptions,
): Promise<ListBlockTransactionsResult> {
  return client.request({ method: 'GET', path: '/api/v1/block/{id}/transactions', params }, options);
}
