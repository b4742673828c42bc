import type { EsploraAddress } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraAddressParams = { address: string };
export type GetEsploraAddressResult = Static<typeof EsploraAddress>;
export type GetEsploraAddressError = CoinfrontError<ClientErrorCode>;

/**
 * Totals of an address.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraAddressError}
 * @example
 * const esploraAddress = await getEsploraAddress(client, {
 *   address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 * });
 */
export function getEsploraAddress(
  client: Client,
  params: GetEsploraAddressParams,
  options?: CallOptions,
): Promise<GetEsploraAddressResult> {
  return client.request({ method: 'GET', path: '/esplora/address/{address}', params }, options);
}
