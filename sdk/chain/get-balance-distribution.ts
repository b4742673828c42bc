import type { BalanceDistribution } from '@coinfront/api/rich-list.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetBalanceDistributionResult = Static<typeof BalanceDistribution>;
export type GetBalanceDistributionError = CoinfrontError<
  IndexReadErrorCode | 'rich_list_off' | 'rich_list_pending'
>;

/**
 * How many addresses have how much, and what the richest have of all, as of one block, where the operator has switched it on.
 *
 * @throws {GetBalanceDistributionError}
 * @example
 * const { bands, largest } = await getBalanceDistribution(client);
 */
export function getBalanceDistribution(
  client: Client,
  options?: CallOptions,
): Promise<GetBalanceDistributionResult> {
  return client.request({ method: 'GET', path: '/api/v1/rich/distribution' }, options);
}
