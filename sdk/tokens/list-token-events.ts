import type { TokenIdParams } from '@coinfront/api/token-metadata.ts';
import type { TokenEventList, TokenEventQuery } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListTokenEventsParams = ParamsOf<typeof TokenIdParams, typeof TokenEventQuery>;
export type ListTokenEventsResult = Static<typeof TokenEventList>;
export type ListTokenEventsError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'token_not_found' | 'cursor_expired'
>;

/**
 * Event history of a token: CREATE, MINT, TRANSFER, BURN.
 *
 * Newest first, of confirmed transactions only. `include=invalid` lists also operations that named the token and
 * changed nothing, each with its reason.
 *
 * @throws {ListTokenEventsError}
 * @example
 * const { items, next_cursor } = await listTokenEvents(client, { token_id: '9b088a0d…' });
 */
export function listTokenEvents(
  client: Client,
  params: ListTokenEventsParams,
  options?: CallOptions,
): Promise<ListTokenEventsResult> {
  return client.request({ method: 'GET', path: '/api/v1/tokens/{token_id}/events', params }, options);
}
