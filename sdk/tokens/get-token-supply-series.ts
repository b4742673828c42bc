import type { PartSeriesQuery, TokenSupplySeriesJson } from '@coinfront/api/part-series.ts';
import type { TokenIdParams } from '@coinfront/api/token-metadata.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTokenSupplySeriesParams = ParamsOf<typeof TokenIdParams, typeof PartSeriesQuery>;
export type GetTokenSupplySeriesResult = TokenSupplySeriesJson;
export type GetTokenSupplySeriesError = CoinfrontError<IndexReadErrorCode | 'token_not_found'>;

/**
 * Supply and number of holders of a token over time, in so many points at most.
 *
 * @throws {GetTokenSupplySeriesError}
 * @example
 * const { points } = await getTokenSupplySeries(client, { token_id: '9b088a0d…', range: '1y' });
 */
export function getTokenSupplySeries(
  client: Client,
  params: GetTokenSupplySeriesParams,
  options?: CallOptions,
): Promise<GetTokenSupplySeriesResult> {
  return client.request({ method: 'GET', path: '/api/v1/tokens/{token_id}/series', params }, options);
}
