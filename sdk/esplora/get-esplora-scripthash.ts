import type { EsploraAddress } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraScripthashParams = { scripthash: string };
export type GetEsploraScripthashResult = Static<typeof EsploraAddress>;
export type GetEsploraScripthashError = CoinfrontError<ClientErrorCode>;

/**
 * Totals of an scripthash.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraScripthashError}
 * @example
 * const esploraScripthash = await getEsploraScripthash(client, { scripthash: 'e3b0c442…' });
 */
export function getEsploraScripthash(
  client: Client,
  params: GetEsploraScripthashParams,
  options?: CallOptions,
): Promise<GetEsploraScripthashResult> {
  return client.request({ method: 'GET', path: '/esplora/scripthash/{scripthash}', params }, options);
}
