import type { EsploraOutspendJson, OutputParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxOutspendParams = ParamsOf<typeof OutputParams>;
export type GetEsploraTxOutspendResult = EsploraOutspendJson;
export type GetEsploraTxOutspendError = CoinfrontError<ClientErrorCode>;

/**
 * Whether an output is spent.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTxOutspendError}
 * @example
 * const esploraTxOutspend = await getEsploraTxOutspend(client, { txid: 'f4184fc5…', vout: 0 });
 */
export function getEsploraTxOutspend(
  client: Client,
  params: GetEsploraTxOutspendParams,
  options?: CallOptions,
): Promise<GetEsploraTxOutspendResult> {
  return client.request({ method: 'GET', path: '/esplora/tx/{txid}/outspend/{vout}', params }, options);
}
