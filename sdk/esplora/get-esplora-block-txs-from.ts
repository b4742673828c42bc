import type { EsploraTxJson, HashIndexParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockTxsFromParams = ParamsOf<typeof HashIndexParams>;
export type GetEsploraBlockTxsFromResult = EsploraTxJson[];
export type GetEsploraBlockTxsFromError = CoinfrontError<ClientErrorCode>;

/**
 * 25 transactions of a block from an index.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockTxsFromError}
 * @example
 * const answer = await getEsploraBlockTxsFrom(client, { hash: '00000000…', index: 0 });
 */
export function getEsploraBlockTxsFrom(
  client: Client,
  params: GetEsploraBlockTxsFromParams,
  options?: CallOptions,
): Promise<GetEsploraBlockTxsFromResult> {
  return client.request({ method: 'GET', path: '/esplora/block/{hash}/txs/{index}', params }, options);
}
