import type { EsploraRecent } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraMempoolRecentResult = Static<typeof EsploraRecent>[];
export type GetEsploraMempoolRecentError = CoinfrontError<ClientErrorCode>;

/**
 * The ten transactions that came last.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraMempoolRecentError}
 * @example
 * const answer = await getEsploraMempoolRecent(client);
 */
export function getEsploraMempoolRecent(
  client: Client,
  options?: CallOptions,
): Promise<GetEsploraMempoolRecentResult> {
  return client.request({ method: 'GET', path: '/esplora/mempool/recent' }, options);
}
