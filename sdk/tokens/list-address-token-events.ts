import type { AddressParams } from '@coinfront/api/common.ts';
import type { TokenEventList, TokenEventQuery } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListAddressTokenEventsParams = ParamsOf<typeof AddressParams, typeof TokenEventQuery>;
export type ListAddressTokenEventsResult = Static<typeof TokenEventList>;
export type ListAddressTokenEventsError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'address_invalid' | 'cursor_expired'
>;

/**
 * Confirmed token activity of an address.
 *
 * Newest first: what it sent and what it received. `include=invalid` lists also what it sent that changed nothing.
 *
 * @throws {ListAddressTokenEventsError}
 * @example
 * const { items, next_cursor } = await listAddressTokenEvents(client, {
 *   address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 * });
 */
export function listAddressTokenEvents(
  client: Client,
  params: ListAddressTokenEventsParams,
  options?: CallOptions,
): Promise<ListAddressTokenEventsResult> {
  return client.request({ method: 'GET', path: '/api/v1/addresses/{address}/events', params }, options);
}
