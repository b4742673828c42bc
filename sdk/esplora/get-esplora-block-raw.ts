import type { HashParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockRawParams = ParamsOf<typeof HashParams>;
export type GetEsploraBlockRawResult = Uint8Array<ArrayBuffer>;
export type GetEsploraBlockRawError = CoinfrontError<ClientErrorCode>;

/**
 * The bytes of a block.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockRawError}
 * @example
 * const bytes = await getEsploraBlockRaw(client, { hash: '00000000…' });
 */
export function getEsploraBlockRaw(
  client: Client,
  params: GetEsploraBlockRawParams,
  options?: CallOptions,
): Promise<GetEsploraBlockRawResult> {
  return client.request(
    { method: 'GET', path: '/esplora/block/{hash}/raw', params, answer: 'bytes' },
    options,
  );
}
