import type { PoolRemovalBody, PoolRemovalResultJson } from '@coinfront/api/merchants.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type RemovePoolAddressesParams = ParamsOf<typeof PoolRemovalBody>;
export type RemovePoolAddressesResult = PoolRemovalResultJson;
export type RemovePoolAddressesError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | BodyErrorCode
>;

/**
 * Take addresses out of the pool.
 *
 * Up to 1,000 addresses that were never leased: imported by mistake, or of a wallet that is given up. Each gets its
 * answer, in their order. They may be imported again.
 *
 * @throws {RemovePoolAddressesError}
 * @example
 * const removed = await removePoolAddresses(client, {
 *   addresses: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
 * });
 */
export function removePoolAddresses(
  client: Client,
  params: RemovePoolAddressesParams,
  options?: CallOptions,
): Promise<RemovePoolAddressesResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/merchant/addresses/remove', body: params, authorised: true },
    options,
  );
}
