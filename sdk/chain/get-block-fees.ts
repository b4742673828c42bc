import type { BlockFeesJson, BlockParams } from '@coinfront/api/chain-blocks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetBlockFeesParams = ParamsOf<typeof BlockParams>;
export type GetBlockFeesResult = BlockFeesJson;
export type GetBlockFeesError = CoinfrontError<IndexReadErrorCode | 'block_not_found'>;

/**
 * Fee rates of a block.
 *
 * Lowest, median and highest rate of its transactions, and what lies between. The coinbase does not count.
 *
 * @throws {GetBlockFeesError}
 * @example
 * const { fee_rates } = await getBlockFees(client, { id: '812345' });
 */
export function getBlockFees(
  client: Client,
  params: GetBlockFeesParams,
  options?: CallOptions,
): Promise<GetBlockFeesResult> {
  return client.request({ method: 'GET', path: '/api/v1/block/{id}/fees', params }, options);
}
