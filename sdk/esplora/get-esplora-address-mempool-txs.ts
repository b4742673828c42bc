import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraAddressMempoolTxsParams = { address: string };
export type GetEsploraAddressMempoolTxsResult = EsploraTxJson[];
export type GetEsploraAddressMempoolTxsError = CoinfrontError<ClientErrorCode>;

/**
 * Up to 50 unconfirmed transactions, newest first.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraAddressMempoolTxsError}
 * @example
 * const answer = await getEsploraAddressMempoolTxs(client, {
 *   address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 * });
 */
export function getEsploraAddressMempoolTxs(
  client: Client,
  params: GetEsploraAddressMempoolTxsParams,
  options?: CallOptions,
): Promise<GetEsploraAddressMempoolTxsResult> {
  return client.request({ method: 'GET', path: '/esplora/address/{address}/txs/mempool', params }, options);
}
