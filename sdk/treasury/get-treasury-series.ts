import type { PartSeriesQuery, TreasurySeriesJson } from '@coinfront/api/part-series.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetTreasurySeriesParams = ParamsOf<typeof PartSeriesQuery>;
export type GetTreasurySeriesResult = TreasurySeriesJson;
export type GetTreasurySeriesError = CoinfrontError<
  CallErrorCode | 'treasury_not_configured' | 'index_unavailable'
>;

/**
 * Balance of the treasury over time.
 *
 * The balance of the ledger, in so many points at most.
 *
 * @throws {GetTreasurySeriesError}
 * @example
 * const { points } = await getTreasurySeries(client, { range: '1y' });
 */
export function getTreasurySeries(
  client: Client,
  params: GetTreasurySeriesParams = {},
  options?: CallOptions,
): Promise<GetTreasurySeriesResult> {
  return client.request({ method: 'GET', path: '/api/treasury/series', params }, options);
}
