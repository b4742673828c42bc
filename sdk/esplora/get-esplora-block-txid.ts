import type { HashIndexParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraBlockTxidParams = ParamsOf<typeof HashIndexParams>;
export type GetEsploraBlockTxidResult = string;
export type GetEsploraBlockTxidError = CoinfrontError<ClientErrorCode>;

/**
 * The txid at an index of a block.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraBlockTxidError}
 * @example
 * const text = await getEsploraBlockTxid(client, { hash: '00000000…', index: 0 });
 */
export function getEsploraBlockTxid(
  client: Client,
  params: GetEsploraBlockTxidParams,
  options?: CallOptions,
): Promise<GetEsploraBlockTxidResult> {
  return client.request(
    { method: 'GET', path: '/esplora/block/{hash}/txid/{index}', params, answer: 'text' },
    options,
  );
}
