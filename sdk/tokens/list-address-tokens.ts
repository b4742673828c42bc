import type { AddressParams } from '@coinfront/api/common.ts';
import type { AddressTokenList, AddressTokenQuery } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListAddressTokensParams = ParamsOf<typeof AddressParams, typeof AddressTokenQuery>;
export type ListAddressTokensResult = Static<typeof AddressTokenList>;
export type ListAddressTokensError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'address_invalid' | 'cursor_expired' | 'block_not_found'
>;

/**
 * Tokens of an address: balances, and those that it issued.
 *
 * Tokens belong to the script of the address, not to its coins: spending coins does not move them. Each page is of the
 * tip that `as_of` names. With `height` they are those behind that block.
 *
 * @throws {ListAddressTokensError}
 * @example
 * const { items, next_cursor } = await listAddressTokens(client, {
 *   address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 * });
 */
export function listAddressTokens(
  client: Client,
  params: ListAddressTokensParams,
  options?: CallOptions,
): Promise<ListAddressTokensResult> {
  return client.request({ method: 'GET', path: '/api/v1/addresses/{address}/tokens', params }, options);
}
