import type { PoolImportBody, PoolImportResultJson } from '@coinfront/api/merchants.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, MerchantChangeErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type ImportPoolAddressesParams = ParamsOf<typeof PoolImportBody>;
export type ImportPoolAddressesResult = PoolImportResultJson;
export type ImportPoolAddressesError = CoinfrontError<
  ReadErrorCode | MerchantChangeErrorCode | BodyErrorCode | 'extended_key_invalid'
>;

/**
 * Import fresh receive addresses.
 *
 * Up to 1,000 addresses, or a public account key and a range below it. Only addresses that neither the chain nor the
 * mempool has seen, that no payment had, and that are in no pool are taken; each gets its answer, in their order.
 * Sending the same again imports nothing twice. Wallets find money by looking some addresses ahead (a gap limit, often
 * 20): set it above the size of the pool.
 *
 * @throws {ImportPoolAddressesError}
 * @example
 * const poolAddresses = await importPoolAddresses(client, {
 *   addresses: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
 * });
 */
export function importPoolAddresses(
  client: Client,
  params: ImportPoolAddressesParams,
  options?: CallOptions,
): Promise<ImportPoolAddressesResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/merchant/addresses', body: params, authorised: true },
    options,
  );
}
