import type { NameJson, NameParams } from '@coinfront/api/names.ts';
import type { PageQuery } from '@coinfront/api/paging.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type GetNameParams = ParamsOf<typeof NameParams, typeof PageQuery>;
export type GetNameResult = NameJson;
export type GetNameError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'name_invalid' | 'name_not_found' | 'cursor_expired'
>;

/**
 * Name detail.
 *
 * The record of a name that was registered once, its state, its times - those to come are estimates - and every
 * operation on it, valid or not, newest first.
 *
 * @throws {GetNameError}
 * @example
 * const name = await getName(client, { name: 'alice.coin' });
 */
export function getName(
  client: Client,
  params: GetNameParams,
  options?: CallOptions,
): Promise<GetNameResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/name/{name}', params }, options);
}
