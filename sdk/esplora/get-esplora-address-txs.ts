import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraAddressTxsParams = { address: string; after_txid?: string };
export type GetEsploraAddressTxsResult = EsploraTxJson[];
export type GetEsploraAddressTxsError = CoinfrontError<ClientErrorCode>;

/**
 * Up to 50 unconfirmed and 25 confirmed transactions, newest first; behind one, where it is named.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraAddressTxsError}
 * @example
 * const answer = await getEsploraAddressTxs(client, {
 *   address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 * });
 */
export function getEsploraAddressTxs(
  client: Client,
  params: GetEsploraAddressTxsParams,
  options?: CallOptions,
): Promise<GetEsploraAddressTxsResult> {
  return client.request({ method: 'GET', path: '/esplora/address/{address}/txs', params }, options);
}
