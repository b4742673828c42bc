import type { PoolLuckJson, PoolLuckQuery } from '@coinfront/api/mining-luck.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetPoolLuckParams = ParamsOf<typeof PoolLuckQuery>;
export type GetPoolLuckResult = PoolLuckJson;
export type GetPoolLuckError = CoinfrontError<IndexReadErrorCode | 'pool_not_found'>;

/**
 * Luck of the pool.
 *
 * Effort and luck of the latest blocks that keep the published split, oldest first, and over windows of them. What is not
 * known is null, and no mean counts it.
 *
 * @throws {GetPoolLuckError}
 * @example
 * const { windows, points } = await getPoolLuck(client, { blocks: 100 });
 */
export function getPoolLuck(
  client: Client,
  params: GetPoolLuckParams = {},
  options?: CallOptions,
): Promise<GetPoolLuckResult> {
  return client.request({ method: 'GET', path: '/api/v1/pool/luck', params }, options);
}
