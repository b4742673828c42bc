import type { EsploraBlockJson, HeightParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlocksFromParams = ParamsOf<typeof HeightParams>;
export type GetEsploraBlocksFromResult = EsploraBlockJson[];
export type GetEsploraBlocksFromError = CoinfrontError<ClientErrorCode>;

/**
 * Ten blocks from a height downwards.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlocksFromError}
 * @example
 * const answer = await getEsploraBlocksFrom(client, { height: 812345 });
 */
export function getEsploraBlocksFrom(
  client: Client,
  params: GetEsploraBlocksFromParams,
  options?: CallOptions,
): Promise<GetEsploraBlocksFromResult> {
  return client.request({ method: 'GET', path: '/esplora/blocks/{height}', params }, options);
}
