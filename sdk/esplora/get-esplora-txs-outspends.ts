import type { EsploraOutspendJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxsOutspendsParams = { txids: string };
export type GetEsploraTxsOutspendsResult = EsploraOutspendJson[][];
export type GetEsploraTxsOutspendsError = CoinfrontError<ClientErrorCode>;

/**
 * Whether the outputs of several transactions are spent; `txids` has commas between them.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraTxsOutspendsError}
 * @example
 * const answer = await getEsploraTxsOutspends(client, { txids: 'f4184fc5…,0437cd7f…' });
 */
export function getEsploraTxsOutspends(
  client: Client,
  params: GetEsploraTxsOutspendsParams,
  options?: CallOptions,
): Promise<GetEsploraTxsOutspendsResult> {
  return client.request({ method: 'GET', path: '/esplora/txs/outspends', params }, options);
}
