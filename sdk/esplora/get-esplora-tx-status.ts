import type { EsploraStatusJson, EsploraTxParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxStatusParams = ParamsOf<typeof EsploraTxParams>;
export type GetEsploraTxStatusResult = EsploraStatusJson;
export type GetEsploraTxStatusError = CoinfrontError<ClientErrorCode>;

/**
 * Where a transaction is.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTxStatusError}
 * @example
 * const esploraTxStatus = await getEsploraTxStatus(client, { txid: 'f4184fc5…' });
 */
export function getEsploraTxStatus(
  client: Client,
  params: GetEsploraTxStatusParams,
  options?: CallOptions,
): Promise<GetEsploraTxStatusResult> {
  return client.request({ method: 'GET', path: '/esplora/tx/{txid}/status', params }, options);
}
