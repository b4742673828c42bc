import type { EsploraSummaryEntryJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraScripthashTxsSummaryParams = { scripthash: string; after_txid?: string };
export type GetEsploraScripthashTxsSummaryResult = EsploraSummaryEntryJson[];
export type GetEsploraScripthashTxsSummaryError = CoinfrontError<ClientErrorCode>;

/**
 * What confirmed transactions of a script did to its balance, newest first; behind one, where it is named.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraScripthashTxsSummaryError}
 * @example
 * const answer = await getEsploraScripthashTxsSummary(client, { scripthash: '8b01df4e…' });
 */
export function getEsploraScripthashTxsSummary(
  client: Client,
  params: GetEsploraScripthashTxsSummaryParams,
  options?: CallOptions,
): Promise<GetEsploraScripthashTxsSummaryResult> {
  return client.request(
    { method: 'GET', path: '/esplora/scripthash/{scripthash}/txs/summary', params },
    options,
  );
}
