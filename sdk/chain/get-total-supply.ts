import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTotalSupplyResult = string;
export type GetTotalSupplyError = CoinfrontError<IndexReadErrorCode>;

/**
 * Total issued supply as plain text.
 *
 * One decimal number of coins, nothing else: all coins made so far.
 *
 * @throws {GetTotalSupplyError}
 * @example
 * const text = await getTotalSupply(client);
 */
export function getTotalSupply(client: Client, options?: CallOptions): Promise<GetTotalSupplyResult> {
  return client.request({ method: 'GET', path: '/api/v1/supply/total', answer: 'text' }, options);
}
