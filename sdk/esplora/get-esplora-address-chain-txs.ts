import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraAddressChainTxsParams = { address: string };
export type GetEsploraAddressChainTxsResult = EsploraTxJson[];
export type GetEsploraAddressChainTxsError = CoinfrontError<ClientErrorCode>;

/**
 * 25 confirmed transactions, newest first.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraAddressChainTxsError}
 * @example
 * const answer = await getEsploraAddressChainTxs(client, {
 *   address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 * });
 */
export function getEsploraAddressChainTxs(
  client: Client,
  params: GetEsploraAddressChainTxsParams,
  options?: CallOptions,
): Promise<GetEsploraAddressChainTxsResult> {
  return client.request({ method: 'GET', path: '/esplora/address/{address}/txs/chain', params }, options);
}
