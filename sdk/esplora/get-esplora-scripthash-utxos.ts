import type { EsploraUtxo } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraScripthashUtxosParams = { scripthash: string };
export type GetEsploraScripthashUtxosResult = Static<typeof EsploraUtxo>[];
export type GetEsploraScripthashUtxosError = CoinfrontError<ClientErrorCode>;

/**
 * All unspent outputs; an error above 10000.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraScripthashUtxosError}
 * @example
 * const answer = await getEsploraScripthashUtxos(client, { scripthash: 'e3b0c442…' });
 */
export function getEsploraScripthashUtxos(
  client: Client,
  params: GetEsploraScripthashUtxosParams,
  options?: CallOptions,
): Promise<GetEsploraScripthashUtxosResult> {
  return client.request({ method: 'GET', path: '/esplora/scripthash/{scripthash}/utxo', params }, options);
}
