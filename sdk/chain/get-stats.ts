import type { ChainStatsJson } from '@coinfront/api/chain-state.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetStatsResult = ChainStatsJson;
export type GetStatsError = CoinfrontError<IndexReadErrorCode>;

/**
 * Network and pool statistics.
 *
 * Exact totals of the whole chain, the hashrate from the work gained over windows of blocks, and the share of the
 * public pool: by blocks of the chain, and by the hashrate that it claims.
 *
 * @throws {GetStatsError}
 * @example
 * const stats = await getStats(client);
 */
export function getStats(client: Client, options?: CallOptions): Promise<GetStatsResult> {
  return client.request({ method: 'GET', path: '/api/v1/stats' }, options);
}
