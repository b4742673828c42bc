import type { AddressSummary } from '@coinfront/api/chain-addresses.ts';
import type { AddressParams } from '@coinfront/api/common.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetAddressParams = ParamsOf<typeof AddressParams>;
export type GetAddressResult = Static<typeof AddressSummary>;
export type GetAddressError = CoinfrontError<IndexReadErrorCode | 'address_invalid'>;

/**
 * Summary of an address, with unspent outputs.
 *
 * Totals of the chain and of the mempool apart, and the first 25 unspent outputs - all of them, whether spendable now
 * or not. For the rest follow `utxos.next_cursor` with `/utxos/{address}`, which lists from there on what is
 * spendable. An address never used has zeros.
 *
 * @throws {GetAddressError}
 * @example
 * const address = await getAddress(client, { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' });
 */
export function getAddress(
  client: Client,
  params: GetAddressParams,
  options?: CallOptions,
): Promise<GetAddressResult> {
  return client.request({ method: 'GET', path: '/api/v1/address/{address}', params }, options);
}
