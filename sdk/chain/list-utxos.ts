import type { UtxoList } from '@coinfront/api/chain-addresses.ts';
import type { AddressParams } from '@coinfront/api/common.ts';
import type { PageQuery } from '@coinfront/api/paging.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListUtxosParams = ParamsOf<typeof AddressParams, typeof PageQuery>;
export type ListUtxosResult = Static<typeof UtxoList>;
export type ListUtxosError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'address_invalid' | 'cursor_expired'
>;

/**
 * Spendable unspent outputs of an address.
 *
 * Mature, and not spent in the mempool: confirmed ones from the oldest, then unconfirmed ones (`height` null,
 * `confirmations` 0). A page can be short, even empty, where many outputs are not spendable; `next_cursor` alone says
 * whether there is more.
 *
 * @throws {ListUtxosError}
 * @example
 * const { items, next_cursor } = await listUtxos(client, {
 *   address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
 * });
 */
export function listUtxos(
  client: Client,
  params: ListUtxosParams,
  options?: CallOptions,
): Promise<ListUtxosResult> {
  return client.request({ method: 'GET', path: '/api/v1/utxos/{address}', params }, options);
}
