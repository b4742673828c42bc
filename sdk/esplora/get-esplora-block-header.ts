import type { HashParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockHeaderParams = ParamsOf<typeof HashParams>;
export type GetEsploraBlockHeaderResult = string;
export type GetEsploraBlockHeaderError = CoinfrontError<ClientErrorCode>;

/**
 * The 80 bytes of a header in hex.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockHeaderError}
 * @example
 * const text = await getEsploraBlockHeader(client, { hash: '00000000…' });
 */
export function getEsploraBlockHeader(
  client: Client,
  params: GetEsploraBlockHeaderParams,
  options?: CallOptions,
): Promise<GetEsploraBlockHeaderResult> {
  return client.request(
    { method: 'GET', path: '/esplora/block/{hash}/header', params, answer: 'text' },
    options,
  );
}
