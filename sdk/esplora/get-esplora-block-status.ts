import type { EsploraBlockStatus, HashParams } from '@coinfront/api/esplora.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockStatusParams = ParamsOf<typeof HashParams>;
export type GetEsploraBlockStatusResult = Static<typeof EsploraBlockStatus>;
export type GetEsploraBlockStatusError = CoinfrontError<ClientErrorCode>;

/**
 * Whether a block is in the best chain.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockStatusError}
 * @example
 * const esploraBlockStatus = await getEsploraBlockStatus(client, { hash: '00000000…' });
 */
export function getEsploraBlockStatus(
  client: Client,
  params: GetEsploraBlockStatusParams,
  options?: CallOptions,
): Promise<GetEsploraBlockStatusResult> {
  return client.request({ method: 'GET', path: '/esplora/block/{hash}/status', params }, options);
}
