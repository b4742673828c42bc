import type { PageQuery } from '@coinfront/api/paging.ts';
import type { TokenIdParams } from '@coinfront/api/token-metadata.ts';
import type { HolderList } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListTokenHoldersParams = ParamsOf<typeof TokenIdParams, typeof PageQuery>;
export type ListTokenHoldersResult = Static<typeof HolderList>;
export type ListTokenHoldersError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'token_not_found' | 'cursor_expired'
>;

/**
 * Positive balances of a token, the largest first.
 *
 * Each page is of the tip that `as_of` names. A page goes on below the last balance that was shown: whose balance
 * changes between two pages can be on both, or on none.
 *
 * @throws {ListTokenHoldersError}
 * @example
 * const { items, next_cursor } = await listTokenHolders(client, { token_id: '9b088a0d…' });
 */
export function listTokenHolders(
  client: Client,
  params: ListTokenHoldersParams,
  options?: CallOptions,
): Promise<ListTokenHoldersResult> {
  return client.request({ method: 'GET', path: '/api/v1/tokens/{token_id}/holders', params }, options);
}
