import type { HashrateSeriesJson, HashrateSeriesQuery } from '@coinfront/api/mining-history.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetPoolSeriesParams = ParamsOf<typeof HashrateSeriesQuery>;
export type GetPoolSeriesResult = HashrateSeriesJson;
export type GetPoolSeriesError = CoinfrontError<CallErrorCode | 'pool_not_found' | 'index_unavailable'>;

/**
 * Hashrate of a pool over time.
 *
 * What the software of the pool said, as the service kept it, in so many points at most. A stretch that was not observed
 * has no point.
 *
 * @throws {GetPoolSeriesError}
 * @example
 * const { points } = await getPoolSeries(client, { range: '1w' });
 */
export function getPoolSeries(
  client: Client,
  params: GetPoolSeriesParams = {},
  options?: CallOptions,
): Promise<GetPoolSeriesResult> {
  return client.request({ method: 'GET', path: '/api/v1/pool/series', params }, options);
}
