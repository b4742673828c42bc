import type { EsploraTxJson, HashParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockTxsParams = ParamsOf<typeof HashParams>;
export type GetEsploraBlockTxsResult = EsploraTxJson[];
export type GetEsploraBlockTxsError = CoinfrontError<ClientErrorCode>;

/**
 * The first 25 transactions of a block.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockTxsError}
 * @example
 * const answer = await getEsploraBlockTxs(client, { hash: '00000000…' });
 */
export function getEsploraBlockTxs(
  client: Client,
  params: GetEsploraBlockTxsParams,
  options?: CallOptions,
): Promise<GetEsploraBlockTxsResult> {
  return client.request({ method: 'GET', path: '/esplora/block/{hash}/txs', params }, options);
}
