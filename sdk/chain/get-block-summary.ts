import type { BlockParams, BlockTxSummaryJson } from '@coinfront/api/chain-blocks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetBlockSummaryParams = Omit<ParamsOf<typeof BlockParams>, 'id'> & { id: string | number };
export type GetBlockSummaryResult = BlockTxSummaryJson;
export type GetBlockSummaryError = CoinfrontError<IndexReadErrorCode | 'block_not_found'>;

/**
 * All transactions of a block in short.
 *
 * Size and fee of each transaction at once, highest fee rate first, 10,000 at most.
 *
 * @throws {GetBlockSummaryError}
 * @example
 * const { transactions } = await getBlockSummary(client, { id: 812345 });
 */
export function getBlockSummary(
  client: Client,
  params: GetBlockSummaryParams,
  options?: CallOptions,
): Promise<GetBlockSummaryResult> {
  return client.request({ method: 'GET', path: '/api/v1/block/{id}/summary', params }, options);
}
