import type { TokenEventList, TokenFeedQuery } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListTokenFeedParams = ParamsOf<typeof TokenFeedQuery>;
export type ListTokenFeedResult = Static<typeof TokenEventList>;
export type ListTokenFeedError = CoinfrontError<IndexReadErrorCode | CursorErrorCode | 'cursor_expired'>;

/**
 * Operations of all tokens, block by block, oldest first.
 *
 * Without a `next_cursor` these were all up to the tip that `as_of` names: go on with `from_height` one above it.
 *
 * @throws {ListTokenFeedError}
 * @example
 * const { as_of, items, next_cursor } = await listTokenFeed(client, { from_height: 812_300 });
 */
export function listTokenFeed(
  client: Client,
  params: ListTokenFeedParams = {},
  options?: CallOptions,
): Promise<ListTokenFeedResult> {
  return client.request({ method: 'GET', path: '/api/v1/tok/events', params }, options);
}
