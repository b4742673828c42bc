import type { AddressTxList, AddressTxQuery } from '@coinfront/api/chain-addresses.ts';
import type { AddressParams } from '@coinfront/api/common.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListAddressTransactionsParams = ParamsOf<typeof AddressParams, typeof AddressTxQuery>;
export type ListAddressTransactionsResult = Static<typeof AddressTxList>;
export type ListAddressTransactionsError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'address_invalid' | 'cursor_expired'
>;

/**
 * History of an address.
 *
 * Newest first: what is in the mempool, then the chain. However long it is, each page costs the same. With `direction` or days a page can
 * be short, even empty: `next_cursor` alone says whether there is more.
 *
 * @throws {ListAddressTransactionsError}
 * @example
 * const { items, next_cursor } = await listAddressTransactions(client, {
 *   address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
 * });
 */
export function listAddressTransactions(
  client: Client,
  params: ListAddressTransactionsParams,
  options?: CallOptions,
): Promise<ListAddressTransactionsResult> {
  return client.request({ method: 'GET', path: '/api/v1/address/{address}/txs', params }, options);
}
