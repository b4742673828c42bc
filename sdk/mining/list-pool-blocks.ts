import type { PoolBlockList } from '@coinfront/api/mining.ts';
import type { PageQuery } from '@coinfront/api/paging.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListPoolBlocksParams = ParamsOf<typeof PageQuery>;
export type ListPoolBlocksResult = Static<typeof PoolBlockList>;
export type ListPoolBlocksError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'pool_not_found' | 'cursor_expired'
>;

/**
 * Recent tagged pool blocks.
 *
 * Blocks whose coinbase carries the tag of the pool, newest first, with the split that the coinbase pays. Those that a
 * reorganisation replaced stay in the list as `orphaned`, if this service saw them in the chain.
 *
 * @throws {ListPoolBlocksError}
 * @example
 * const { items, next_cursor } = await listPoolBlocks(client);
 */
export function listPoolBlocks(
  client: Client,
  params: ListPoolBlocksParams = {},
  options?: CallOptions,
): Promise<ListPoolBlocksResult> {
  return client.request({ method: 'GET', path: '/api/v1/pool/blocks', params }, options);
}
