import type { AddressBalancesJson, BalancesQuery } from '@coinfront/api/chain-addresses.ts';
import type { AddressParams } from '@coinfront/api/common.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type ListAddressBalancesParams = ParamsOf<typeof AddressParams, typeof BalancesQuery>;
export type ListAddressBalancesResult = AddressBalancesJson;
export type ListAddressBalancesError = CoinfrontError<IndexReadErrorCode | 'address_invalid'>;

/**
 * Balance of an address over time.
 *
 * From its first transaction to the tip, in so many points at most. Each is exact, and costs the same however long the history is.
 *
 * @throws {ListAddressBalancesError}
 * @example
 * const { points } = await listAddressBalances(client, { address, points: 100 });
 */
export function listAddressBalances(
  client: Client,
  params: ListAddressBalancesParams,
  options?: CallOptions,
): Promise<ListAddressBalancesResult> {
  return client.request({ method: 'GET', path: '/api/v1/address/{address}/balances', params }, options);
}
