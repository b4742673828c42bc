import type { HeightParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockHashParams = ParamsOf<typeof HeightParams>;
export type GetEsploraBlockHashResult = string;
export type GetEsploraBlockHashError = CoinfrontError<ClientErrorCode>;

/**
 * Hash of the block at a height.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockHashError}
 * @example
 * const text = await getEsploraBlockHash(client, { height: 812345 });
 */
export function getEsploraBlockHash(
  client: Client,
  params: GetEsploraBlockHashParams,
  options?: CallOptions,
): Promise<GetEsploraBlockHashResult> {
  return client.request(
    { method: 'GET', path: '/esplora/block-height/{height}', params, answer: 'text' },
    options,
  );
}
