import type { NameOperationList } from '@coinfront/api/names.ts';
import type { PageQuery } from '@coinfront/api/paging.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListNameOperationsParams = ParamsOf<typeof PageQuery>;
export type ListNameOperationsResult = Static<typeof NameOperationList>;
export type ListNameOperationsError = CoinfrontError<IndexReadErrorCode | CursorErrorCode | 'cursor_expired'>;

/**
 * All operations, newest first.
 *
 * Every transaction with a payload of the registry, valid or not, with the reason why not.
 *
 * @throws {ListNameOperationsError}
 * @example
 * const { items, next_cursor } = await listNameOperations(client);
 */
export function listNameOperations(
  client: Client,
  params: ListNameOperationsParams = {},
  options?: CallOptions,
): Promise<ListNameOperationsResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/operations', params }, options);
}
