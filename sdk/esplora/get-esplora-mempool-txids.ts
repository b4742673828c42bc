import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraMempoolTxidsResult = string[];
export type GetEsploraMempoolTxidsError = CoinfrontError<ClientErrorCode>;

/**
 * All txids of the mempool; an error above 200000.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraMempoolTxidsError}
 * @example
 * const answer = await getEsploraMempoolTxids(client);
 */
export function getEsploraMempoolTxids(
  client: Client,
  options?: CallOptions,
): Promise<GetEsploraMempoolTxidsResult> {
  return client.request({ method: 'GET', path: '/esplora/mempool/txids' }, options);
}
