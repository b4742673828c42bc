import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetCirculatingSupplyResult = string;
export type GetCirculatingSupplyError = CoinfrontError<IndexReadErrorCode>;

/**
 * Mature circulating supply as plain text.
 *
 * One decimal number of coins, nothing else: issued - immature - burned.
 *
 * @throws {GetCirculatingSupplyError}
 * @example
 * const text = await getCirculatingSupply(client);
 */
export function getCirculatingSupply(
  client: Client,
  options?: CallOptions,
): Promise<GetCirculatingSupplyResult> {
  return client.request({ method: 'GET', path: '/api/v1/supply/circulating', answer: 'text' }, options);
}
