import type { EsploraMempoolBlockJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraMempoolBlocksResult = EsploraMempoolBlockJson[];
export type GetEsploraMempoolBlocksError = CoinfrontError<ClientErrorCode>;

/**
 * The mempool in blocks by the steps of its histogram, best paying first.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraMempoolBlocksError}
 * @example
 * const answer = await getEsploraMempoolBlocks(client);
 */
export function getEsploraMempoolBlocks(
  client: Client,
  options?: CallOptions,
): Promise<GetEsploraMempoolBlocksResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/fees/mempool-blocks' }, options);
}
