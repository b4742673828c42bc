import type { ExpiringNameList, ExpiringNameQuery } from '@coinfront/api/names.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListExpiringNamesParams = ParamsOf<typeof ExpiringNameQuery>;
export type ListExpiringNamesResult = Static<typeof ExpiringNameList>;
export type ListExpiringNamesError = CoinfrontError<IndexReadErrorCode | CursorErrorCode>;

/**
 * Names that end soon, the first first.
 *
 * Names whose expiry, or whose grace, ends within so many blocks behind the tip. What is in the mempool does not count:
 * a renewal may be on its way.
 *
 * @throws {ListExpiringNamesError}
 * @example
 * const { items, next_cursor } = await listExpiringNames(client, { within: 4_032 });
 */
export function listExpiringNames(
  client: Client,
  params: ListExpiringNamesParams = {},
  options?: CallOptions,
): Promise<ListExpiringNamesResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/expiring', params }, options);
}
