import type { BlockList } from '@coinfront/api/chain-blocks.ts';
import type { PageQuery } from '@coinfront/api/paging.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListBlocksParams = ParamsOf<typeof PageQuery>;
export type ListBlocksResult = Static<typeof BlockList>;
export type ListBlocksError = CoinfrontError<IndexReadErrorCode | CursorErrorCode | 'cursor_expired'>;

/**
 * Recent blocks.
 *
 * Blocks of the best chain from the tip downwards. A cursor goes on below the last one shown, and expires when that one
 * was replaced.
 *
 * @throws {ListBlocksError}
 * @example
 * const { items, next_cursor } = await listBlocks(client);
 */
export function listBlocks(
  client: Client,
  params: ListBlocksParams = {},
  options?: CallOptions,
): Promise<ListBlocksResult> {
  return client.request({ method: 'GET', path: '/api/v1/blocks', params }, options);
}
