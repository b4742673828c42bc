import type { EsploraExtendedBlockJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraExtendedBlocksFromParams = { height: number };
export type GetEsploraExtendedBlocksFromResult = EsploraExtendedBlockJson[];
export type GetEsploraExtendedBlocksFromError = CoinfrontError<ClientErrorCode>;

/**
 * 15 blocks from a height downwards, with extras.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraExtendedBlocksFromError}
 * @example
 * const answer = await getEsploraExtendedBlocksFrom(client, { height: 170 });
 */
export function getEsploraExtendedBlocksFrom(
  client: Client,
  params: GetEsploraExtendedBlocksFromParams,
  options?: CallOptions,
): Promise<GetEsploraExtendedBlocksFromResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/blocks/{height}', params }, options);
}
