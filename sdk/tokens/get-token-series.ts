import type { PartSeriesQuery, TokenSeriesJson } from '@coinfront/api/part-series.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTokenSeriesParams = ParamsOf<typeof PartSeriesQuery>;
export type GetTokenSeriesResult = TokenSeriesJson;
export type GetTokenSeriesError = CoinfrontError<IndexReadErrorCode>;

/**
 * Number of tokens over time.
 *
 * How many tokens there were, in so many points at most.
 *
 * @throws {GetTokenSeriesError}
 * @example
 * const { points } = await getTokenSeries(client, { range: '1y' });
 */
export function getTokenSeries(
  client: Client,
  params: GetTokenSeriesParams = {},
  options?: CallOptions,
): Promise<GetTokenSeriesResult> {
  return client.request({ method: 'GET', path: '/api/v1/tok/series', params }, options);
}
