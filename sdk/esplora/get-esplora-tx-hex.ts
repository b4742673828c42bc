import type { EsploraTxParams } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTxHexParams = ParamsOf<typeof EsploraTxParams>;
export type GetEsploraTxHexResult = string;
export type GetEsploraTxHexError = CoinfrontError<ClientErrorCode>;

/**
 * A transaction in hex.
 *
 * As Blockstream's Esplora answers it: amounts are numbers of base units. Errors are plain text, so their code is
 * `http_error`.
 *
 * @throws {GetEsploraTxHexError}
 * @example
 * const text = await getEsploraTxHex(client, { txid: 'f4184fc5…' });
 */
export function getEsploraTxHex(
  client: Client,
  params: GetEsploraTxHexParams,
  options?: CallOptions,
): Promise<GetEsploraTxHexResult> {
  return client.request({ method: 'GET', path: '/esplora/tx/{txid}/hex', params, answer: 'text' }, options);
}
