import type { NameSeriesJson, PartSeriesQuery } from '@coinfront/api/part-series.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetNameSeriesParams = ParamsOf<typeof PartSeriesQuery>;
export type GetNameSeriesResult = NameSeriesJson;
export type GetNameSeriesError = CoinfrontError<IndexReadErrorCode>;

/**
 * Number of names over time.
 *
 * How many names were registered, in so many points at most.
 *
 * @throws {GetNameSeriesError}
 * @example
 * const { points } = await getNameSeries(client, { range: '1y' });
 */
export function getNameSeries(
  client: Client,
  params: GetNameSeriesParams = {},
  options?: CallOptions,
): Promise<GetNameSeriesResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/series', params }, options);
}
