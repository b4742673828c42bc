import type { PageQuery } from '@coinfront/api/paging.ts';
import type { RecentAnchorList } from '@coinfront/api/proofs.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListRecentAnchorsParams = ParamsOf<typeof PageQuery>;
export type ListRecentAnchorsResult = Static<typeof RecentAnchorList>;
export type ListRecentAnchorsError = CoinfrontError<IndexReadErrorCode | CursorErrorCode | 'cursor_expired'>;

/**
 * Newest anchors in the chain.
 *
 * Newest first: each output that carries a digest, the first of a digest or not.
 *
 * @throws {ListRecentAnchorsError}
 * @example
 * const { items, next_cursor } = await listRecentAnchors(client);
 */
export function listRecentAnchors(
  client: Client,
  params: ListRecentAnchorsParams = {},
  options?: CallOptions,
): Promise<ListRecentAnchorsResult> {
  return client.request({ method: 'GET', path: '/api/v1/proof/recent', params }, options);
}
