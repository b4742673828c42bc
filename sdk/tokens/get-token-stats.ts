import type { TokenStatsView } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTokenStatsResult = Static<typeof TokenStatsView>;
export type GetTokenStatsError = CoinfrontError<IndexReadErrorCode>;

/**
 * Token, holder and event totals.
 *
 * Totals of the whole chain, kept with each block.
 *
 * @throws {GetTokenStatsError}
 * @example
 * const tokenStats = await getTokenStats(client);
 */
export function getTokenStats(client: Client, options?: CallOptions): Promise<GetTokenStatsResult> {
  return client.request({ method: 'GET', path: '/api/v1/tok/stats' }, options);
}
