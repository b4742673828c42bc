import type { EsploraSummaryEntryJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraAddressTxsSummaryParams = { address: string; after_txid?: string };
export type GetEsploraAddressTxsSummaryResult = EsploraSummaryEntryJson[];
export type GetEsploraAddressTxsSummaryError = CoinfrontError<ClientErrorCode>;

/**
 * What confirmed transactions of an address did to its balance, newest first; behind one, where it is named.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraAddressTxsSummaryError}
 * @example
 * const answer = await getEsploraAddressTxsSummary(client, { address: 'bc1q…' });
 */
export function getEsploraAddressTxsSummary(
  client: Client,
  params: GetEsploraAddressTxsSummaryParams,
  options?: CallOptions,
): Promise<GetEsploraAddressTxsSummaryResult> {
  return client.request({ method: 'GET', path: '/esplora/address/{address}/txs/summary', params }, options);
}
