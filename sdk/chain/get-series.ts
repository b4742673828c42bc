import type { SeriesJson, SeriesQuery } from '@coinfront/api/chain-series.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetSeriesParams = ParamsOf<typeof SeriesQuery>;
export type GetSeriesResult = SeriesJson;
export type GetSeriesError = CoinfrontError<IndexReadErrorCode>;

/**
 * Figures of the chain over time.
 *
 * Difficulty, hashrate, intervals, transactions, sizes, fees and supply of a span of blocks, in so many points at most. Each is
 * exact: blocks have the totals of the chain below them, and a point is the difference of two.
 *
 * @throws {GetSeriesError}
 * @example
 * const { points } = await getSeries(client, { range: '1y', points: 200 });
 */
export function getSeries(
  client: Client,
  params: GetSeriesParams = {},
  options?: CallOptions,
): Promise<GetSeriesResult> {
  return client.request({ method: 'GET', path: '/api/v1/series', params }, options);
}
