import type { EsploraBlockJson, HashParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockParams = ParamsOf<typeof HashParams>;
export type GetEsploraBlockResult = EsploraBlockJson;
export type GetEsploraBlockError = CoinfrontError<ClientErrorCode>;

/**
 * A block.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockError}
 * @example
 * const esploraBlock = await getEsploraBlock(client, { hash: '00000000…' });
 */
export function getEsploraBlock(
  client: Client,
  params: GetEsploraBlockParams,
  options?: CallOptions,
): Promise<GetEsploraBlockResult> {
  return client.request({ method: 'GET', path: '/esplora/block/{hash}', params }, options);
}
