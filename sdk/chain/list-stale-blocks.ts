import type { StaleBlockList, StaleBlocksQuery } from '@coinfront/api/chain-blocks.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type ListStaleBlocksParams = ParamsOf<typeof StaleBlocksQuery>;
export type ListStaleBlocksResult = Static<typeof StaleBlockList>;
export type ListStaleBlocksError = CoinfrontError<IndexReadErrorCode>;

/**
 * Blocks that left the best chain.
 *
 * As far as this service saw it: the latest 1,000, what left last first. One that is back is not listed.
 *
 * @throws {ListStaleBlocksError}
 * @example
 * const { items } = await listStaleBlocks(client, { limit: 10 });
 */
export function listStaleBlocks(
  client: Client,
  params: ListStaleBlocksParams = {},
  options?: CallOptions,
): Promise<ListStaleBlocksResult> {
  return client.request({ method: 'GET', path: '/api/v1/blocks/stale', params }, options);
}
