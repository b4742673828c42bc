import type { RichListQuery, RichListView } from '@coinfront/api/rich-list.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetRichListParams = ParamsOf<typeof RichListQuery>;
export type GetRichListResult = Static<typeof RichListView>;
export type GetRichListError = CoinfrontError<
  IndexReadErrorCode | 'rich_list_off' | 'rich_list_pending' | 'invalid_cursor' | 'cursor_expired'
>;

/**
 * The richest addresses as of one block, where the operator has switched the list on.
 *
 * @throws {GetRichListError}
 * @example
 * const { as_of, items } = await getRichList(client, { limit: 100 });
 */
export function getRichList(
  client: Client,
  params: GetRichListParams = {},
  options?: CallOptions,
): Promise<GetRichListResult> {
  return client.request({ method: 'GET', path: '/api/v1/rich', params }, options);
}
