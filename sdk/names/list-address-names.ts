import type { AddressParams } from '@coinfront/api/common.ts';
import type { AddressNameList } from '@coinfront/api/names.ts';
import type { PageQuery } from '@coinfront/api/paging.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListAddressNamesParams = ParamsOf<typeof AddressParams, typeof PageQuery>;
export type ListAddressNamesResult = Static<typeof AddressNameList>;
export type ListAddressNamesError = CoinfrontError<IndexReadErrorCode | CursorErrorCode | 'address_invalid'>;

/**
 * Names of an address.
 *
 * All whose owner the address is, in their order. Show a name for an address only while it `resolves`, and remember
 * that anybody can give a name to any address: `registered_by_owner` says whether it asked for it.
 *
 * @throws {ListAddressNamesError}
 * @example
 * const { items, next_cursor } = await listAddressNames(client, {
 *   address: 'rltc1q0s3zg5pr0svjcfmfy24pzp48cjgedyeevk46ek',
 * });
 */
export function listAddressNames(
  client: Client,
  params: ListAddressNamesParams,
  options?: CallOptions,
): Promise<ListAddressNamesResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/address/{address}', params }, options);
}
