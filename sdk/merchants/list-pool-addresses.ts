import type { PoolListJson, PoolListQuery } from '@coinfront/api/merchants.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type ListPoolAddressesParams = ParamsOf<typeof PoolListQuery>;
export type ListPoolAddressesResult = PoolListJson;
export type ListPoolAddressesError = CoinfrontError<CallErrorCode | MerchantErrorCode | CursorErrorCode>;

/**
 * The address pool, in the order of leasing.
 *
 * An address goes from ready to leased to retired, once. It is never leased again.
 *
 * @throws {ListPoolAddressesError}
 * @example
 * const { items, next_cursor } = await listPoolAddresses(client);
 */
export function listPoolAddresses(
  client: Client,
  params: ListPoolAddressesParams = {},
  options?: CallOptions,
): Promise<ListPoolAddressesResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/merchant/addresses', params, authorised: true },
    options,
  );
}
