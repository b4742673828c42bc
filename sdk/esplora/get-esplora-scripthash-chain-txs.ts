import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraScripthashChainTxsParams = { scripthash: string };
export type GetEsploraScripthashChainTxsResult = EsploraTxJson[];
export type GetEsploraScripthashChainTxsError = CoinfrontError<ClientErrorCode>;

/**
 * 25 confirmed transactions, newest first.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraScripthashChainTxsError}
 * @example
 * const answer = await getEsploraScripthashChainTxs(client, { scripthash: 'e3b0c442…' });
 */
export function getEsploraScripthashChainTxs(
  client: Client,
  params: GetEsploraScripthashChainTxsParams,
  options?: CallOptions,
): Promise<GetEsploraScripthashChainTxsResult> {
  return client.request(
    { method: 'GET', path: '/esplora/scripthash/{scripthash}/txs/chain', params },
    options,
  );
}
