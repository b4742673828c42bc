import type { EsploraOutspendJson, EsploraTxParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxOutspendsParams = ParamsOf<typeof EsploraTxParams>;
export type GetEsploraTxOutspendsResult = EsploraOutspendJson[];
export type GetEsploraTxOutspendsError = CoinfrontError<ClientErrorCode>;

/**
 * Whether the outputs are spent.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTxOutspendsError}
 * @example
 * const answer = await getEsploraTxOutspends(client, { txid: 'f4184fc5…' });
 */
export function getEsploraTxOutspends(
  client: Client,
  params: GetEsploraTxOutspendsParams,
  options?: CallOptions,
): Promise<GetEsploraTxOutspendsResult> {
  return client.request({ method: 'GET', path: '/esplora/tx/{txid}/outspends', params }, options);
}
