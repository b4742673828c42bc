import type { PayoutListJson, PayoutQuery } from '@coinfront/api/chain-addresses.ts';
import type { AddressParams } from '@coinfront/api/common.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListCoinbasePayoutsParams = ParamsOf<typeof AddressParams, typeof PayoutQuery>;
export type ListCoinbasePayoutsResult = PayoutListJson;
export type ListCoinbasePayoutsError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'address_invalid' | 'cursor_expired'
>;

/**
 * Coinbase payouts to an address.
 *
 * What coinbases of the latest `scan` blocks pay to the address, newest first, and totals over the whole chain. A
 * coinbase that pays the address by several outputs has an entry for each. A cursor expires when the last block shown was
 * replaced.
 *
 * @throws {ListCoinbasePayoutsError}
 * @example
 * const { items, next_cursor } = await listCoinbasePayouts(client, {
 *   address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
 * });
 */
export function listCoinbasePayouts(
  client: Client,
  params: ListCoinbasePayoutsParams,
  options?: CallOptions,
): Promise<ListCoinbasePayoutsResult> {
  return client.request({ method: 'GET', path: '/api/v1/mining/address/{address}', params }, options);
}
