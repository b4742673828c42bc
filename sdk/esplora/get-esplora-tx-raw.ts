import type { EsploraTxParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxRawParams = ParamsOf<typeof EsploraTxParams>;
export type GetEsploraTxRawResult = Uint8Array<ArrayBuffer>;
export type GetEsploraTxRawError = CoinfrontError<ClientErrorCode>;

/**
 * The bytes of a transaction.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTxRawError}
 * @example
 * const bytes = await getEsploraTxRaw(client, { txid: 'f4184fc5…' });
 */
export function getEsploraTxRaw(
  client: Client,
  params: GetEsploraTxRawParams,
  options?: CallOptions,
): Promise<GetEsploraTxRawResult> {
  return client.request({ method: 'GET', path: '/esplora/tx/{txid}/raw', params, answer: 'bytes' }, options);
}
