import type { EsploraDifficultyJson } from '@coinfront/api/esplora.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ClientErrorCode } from '../client/error-codes.ts';

export type GetEsploraDifficultyAdjustmentResult = EsploraDifficultyJson;
export type GetEsploraDifficultyAdjustmentError = CoinfrontError<ClientErrorCode>;

/**
 * How far the period of the difficulty is.
 *
 * As mempool.space answers it: amounts are numbers of base units. Errors are plain text, so their code is `http_error`.
 *
 * @throws {GetEsploraDifficultyAdjustmentError}
 * @example
 * const answer = await getEsploraDifficultyAdjustment(client);
 */
export function getEsploraDifficultyAdjustment(
  client: Client,
  options?: CallOptions,
): Promise<GetEsploraDifficultyAdjustmentResult> {
  return client.request({ method: 'GET', path: '/esplora/v1/difficulty-adjustment' }, options);
}
