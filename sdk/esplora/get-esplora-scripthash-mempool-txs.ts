import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraScripthashMempoolTxsParams = { scripthash: string };
export type GetEsploraScripthashMempoolTxsResult = EsploraTxJson[];
export type GetEsploraScripthashMempoolTxsError = CoinfrontError<ClientErrorCode>;

/**
 * Up to 50 unconfirmed transactions, newest first.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraScripthashMempoolTxsError}
 * @example
 * const answer = await getEsploraScripthashMempoolTxs(client, { scripthash: 'e3b0c442…' });
 */
export function getEsploraScripthashMempoolTxs(
  client: Client,
  params: GetEsploraScripthashMempoolTxsParams,
  options?: CallOptions,
): Promise<GetEsploraScripthashMempoolTxsResult> {
  return client.request(
    { method: 'GET', path: '/esplora/scripthash/{scripthash}/txs/mempool', params },
    options,
  );
}
