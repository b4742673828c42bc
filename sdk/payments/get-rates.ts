import type { RateListJson } from '@coinfront/api/rates.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetRatesResult = RateListJson;
export type GetRatesError = CoinfrontError<CallErrorCode>;

/**
 * What a coin costs in other money.
 *
 * By the operator's sources: the median of those that are fresh, without any that is far from it. Prices of payments are
 * turned into coins by these rates. Without sources the list is empty.
 *
 * @throws {GetRatesError}
 * @example
 * const rates = await getRates(client);
 */
export function getRates(client: Client, options?: CallOptions): Promise<GetRatesResult> {
  return client.request({ method: 'GET', path: '/api/v1/rates' }, options);
}
