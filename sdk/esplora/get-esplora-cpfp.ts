import type { EsploraCpfpJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraCpfpParams = { txid: string };
export type GetEsploraCpfpResult = EsploraCpfpJson;
export type GetEsploraCpfpError = CoinfrontError<ClientErrorCode>;

/**
 * What a transaction of the mempool hangs on, and what hangs on it.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraCpfpError}
 * @example
 * const answer = await getEsploraCpfp(client, { txid: 'f4184fc5…' });
 */
export function getEsploraCpfp(
  client: Client,
  params: GetEsploraCpfpParams,
  options?: CallOptions,
): Promise<GetEsploraCpfpResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/cpfp/{txid}', params }, options);
}
