import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraTransactionTimesParams = { 'txId[]': string };
export type GetEsploraTransactionTimesResult = number[];
export type GetEsploraTransactionTimesError = CoinfrontError<ClientErrorCode>;

/**
 * When transactions of the mempool were seen first, seconds since 1970; 0 for any other. Commas between txids.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraTransactionTimesError}
 * @example
 * const answer = await getEsploraTransactionTimes(client, { 'txId[]': 'f4184fc5…,0437cd7f…' });
 */
export function getEsploraTransactionTimes(
  client: Client,
  params: GetEsploraTransactionTimesParams,
  options?: CallOptions,
): Promise<GetEsploraTransactionTimesResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/transaction-times', params }, options);
}
