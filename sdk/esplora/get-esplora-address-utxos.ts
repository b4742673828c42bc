import type { EsploraUtxo } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraAddressUtxosParams = { address: string };
export type GetEsploraAddressUtxosResult = Static<typeof EsploraUtxo>[];
export type GetEsploraAddressUtxosError = CoinfrontError<ClientErrorCode>;

/**
 * All unspent outputs; an error above 10000.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraAddressUtxosError}
 * @example
 * const answer = await getEsploraAddressUtxos(client, {
 *   address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 * });
 */
export function getEsploraAddressUtxos(
  client: Client,
  params: GetEsploraAddressUtxosParams,
  options?: CallOptions,
): Promise<GetEsploraAddressUtxosResult> {
  return client.request({ method: 'GET', path: '/esplora/address/{address}/utxo', params }, options);
}
