import type { EsploraMempool } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraMempoolResult = Static<typeof EsploraMempool>;
export type GetEsploraMempoolError = CoinfrontError<ClientErrorCode>;

/**
 * The mempool in sums.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraMempoolError}
 * @example
 * const esploraMempool = await getEsploraMempool(client);
 */
export function getEsploraMempool(client: Client, options?: CallOptions): Promise<GetEsploraMempoolResult> {
  return client.request({ method: 'GET', path: '/esplora/mempool' }, options);
}
