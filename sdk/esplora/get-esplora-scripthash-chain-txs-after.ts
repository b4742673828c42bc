import type { EsploraTxJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraScripthashChainTxsAfterParams = { scripthash: string; last_seen_txid: string };
export type GetEsploraScripthashChainTxsAfterResult = EsploraTxJson[];
export type GetEsploraScripthashChainTxsAfterError = CoinfrontError<ClientErrorCode>;

/**
 * 25 confirmed transactions older than one.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraScripthashChainTxsAfterError}
 * @example
 * const answer = await getEsploraScripthashChainTxsAfter(client, {
 *   scripthash: 'e3b0c442…',
 *   last_seen_txid: 'f4184fc5…',
 * });
 */
export function getEsploraScripthashChainTxsAfter(
  client: Client,
  params: GetEsploraScripthashChainTxsAfterParams,
  options?: CallOptions,
): Promise<GetEsploraScripthashChainTxsAfterResult> {
  return client.request(
    { method: 'GET', path: '/esplora/scripthash/{scripthash}/txs/chain/{last_seen_txid}', params },
    options,
  );
}
