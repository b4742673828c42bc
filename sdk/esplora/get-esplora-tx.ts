import type { EsploraTxJson, EsploraTxParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxParams = ParamsOf<typeof EsploraTxParams>;
export type GetEsploraTxResult = EsploraTxJson;
export type GetEsploraTxError = CoinfrontError<ClientErrorCode>;

/**
 * A transaction.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTxError}
 * @example
 * const esploraTx = await getEsploraTx(client, { txid: 'f4184fc5…' });
 */
export function getEsploraTx(
  client: Client,
  params: GetEsploraTxParams,
  options?: CallOptions,
): Promise<GetEsploraTxResult> {
  return client.request({ method: 'GET', path: '/esplora/tx/{txid}', params }, options);
}
