import type { EsploraExtendedBlockJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraExtendedBlockParams = { hash: string };
export type GetEsploraExtendedBlockResult = EsploraExtendedBlockJson;
export type GetEsploraExtendedBlockError = CoinfrontError<ClientErrorCode>;

/**
 * A block with extras.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraExtendedBlockError}
 * @example
 * const answer = await getEsploraExtendedBlock(client, { hash: '00000000d114…' });
 */
export function getEsploraExtendedBlock(
  client: Client,
  params: GetEsploraExtendedBlockParams,
  options?: CallOptions,
): Promise<GetEsploraExtendedBlockResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/block/{hash}', params }, options);
}
