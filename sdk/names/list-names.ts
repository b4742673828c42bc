import type { NameList, NameListQuery } from '@coinfront/api/names.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListNamesParams = ParamsOf<typeof NameListQuery>;
export type ListNamesResult = Static<typeof NameList>;
export type ListNamesError = CoinfrontError<IndexReadErrorCode | CursorErrorCode>;

/**
 * All names, or those of a beginning or a state.
 *
 * Names that were registered once, in their order. Those of an address are in `/address/{address}`, those that end soon
 * in `/expiring`.
 *
 * @throws {ListNamesError}
 * @example
 * const { items, next_cursor } = await listNames(client, { prefix: 'al', state: 'registered' });
 */
export function listNames(
  client: Client,
  params: ListNamesParams = {},
  options?: CallOptions,
): Promise<ListNamesResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/names', params }, options);
}
