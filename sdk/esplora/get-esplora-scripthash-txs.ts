import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraScripthashTxsParams = { scripthash: string; after_txid?: string };
export type GetEsploraScripthashTxsResult = EsploraTxJson[];
export type GetEsploraScripthashTxsError = CoinfrontError<ClientErrorCode>;

/**
 * Up to 50 unconfirmed and 25 confirmed transactions, newest first; behind one, where it is named.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraScripthashTxsError}
 * @example
 * const answer = await getEsploraScripthashTxs(client, { scripthash: 'e3b0c442…' });
 */
export function getEsploraScripthashTxs(
  client: Client,
  params: GetEsploraScripthashTxsParams,
  options?: CallOptions,
): Promise<GetEsploraScripthashTxsResult> {
  return client.request({ method: 'GET', path: '/esplora/scripthash/{scripthash}/txs', params }, options);
}
