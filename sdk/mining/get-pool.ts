import type { PoolJson } from '@coinfront/api/mining.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetPoolResult = PoolJson;
export type GetPoolError = CoinfrontError<IndexReadErrorCode | 'pool_not_found'>;

/**
 * Telemetry of the main public pool.
 *
 * The published policy, what the software of the pool says (`source`, read in the background at `observed_at`; `stale`
 * when it says nothing new), and what follows from the chain. What is not known is null, never 0.
 *
 * @throws {GetPoolError}
 * @example
 * const pool = await getPool(client);
 */
export function getPool(client: Client, options?: CallOptions): Promise<GetPoolResult> {
  return client.request({ method: 'GET', path: '/api/v1/pool' }, options);
}
