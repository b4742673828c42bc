import type { EsploraExtendedBlockJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraExtendedBlocksResult = EsploraExtendedBlockJson[];
export type GetEsploraExtendedBlocksError = CoinfrontError<ClientErrorCode>;

/**
 * The 15 newest blocks, with extras.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraExtendedBlocksError}
 * @example
 * const answer = await getEsploraExtendedBlocks(client);
 */
export function getEsploraExtendedBlocks(
  client: Client,
  options?: CallOptions,
): Promise<GetEsploraExtendedBlocksResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/blocks' }, options);
}
