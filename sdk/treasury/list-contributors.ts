import type { PageQuery } from '@coinfront/api/paging.ts';
import type { LeaderboardJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode } from '../client/error-codes.ts';

export type ListContributorsParams = ParamsOf<typeof PageQuery>;
export type ListContributorsResult = LeaderboardJson;
export type ListContributorsError = CoinfrontError<
  CallErrorCode | CursorErrorCode | 'treasury_not_configured' | 'cursor_expired' | 'index_unavailable'
>;

/**
 * Verified contributor leaderboard.
 *
 * Contributors with verified contributions: the largest sum first, of equal ones the one that was verified in the
 * earlier block, then by id. Those that do not want to be shown are "Anonymous", in their place.
 *
 * @throws {ListContributorsError}
 * @example
 * const { items, next_cursor } = await listContributors(client);
 */
export function listContributors(
  client: Client,
  params: ListContributorsParams = {},
  options?: CallOptions,
): Promise<ListContributorsResult> {
  return client.request({ method: 'GET', path: '/api/treasury/contributors', params }, options);
}
