import type { HashParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockTxidsParams = ParamsOf<typeof HashParams>;
export type GetEsploraBlockTxidsResult = string[];
export type GetEsploraBlockTxidsError = CoinfrontError<ClientErrorCode>;

/**
 * All txids of a block.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockTxidsError}
 * @example
 * const answer = await getEsploraBlockTxids(client, { hash: '00000000…' });
 */
export function getEsploraBlockTxids(
  client: Client,
  params: GetEsploraBlockTxidsParams,
  options?: CallOptions,
): Promise<GetEsploraBlockTxidsResult> {
  return client.request({ method: 'GET', path: '/esplora/block/{hash}/txids', params }, options);
}
