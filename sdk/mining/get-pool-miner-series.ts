import type { HashrateSeriesJson, HashrateSeriesQuery, MinerParams } from '@coinfront/api/mining-history.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetPoolMinerSeriesParams = ParamsOf<typeof MinerParams, typeof HashrateSeriesQuery>;
export type GetPoolMinerSeriesResult = HashrateSeriesJson;
export type GetPoolMinerSeriesError = CoinfrontError<
  CallErrorCode | 'pool_not_found' | 'miner_not_found' | 'miner_ambiguous' | 'index_unavailable'
>;

/**
 * Hashrate of a miner over time.
 *
 * What the list of the pool said of one miner, as the service kept it. A stretch that was not observed has no point.
 *
 * @throws {GetPoolMinerSeriesError}
 * @example
 * const { points } = await getPoolMinerSeries(client, {
 *   address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
 *   range: '1d',
 * });
 */
export function getPoolMinerSeries(
  client: Client,
  params: GetPoolMinerSeriesParams,
  options?: CallOptions,
): Promise<GetPoolMinerSeriesResult> {
  return client.request({ method: 'GET', path: '/api/v1/pool/miners/{address}/series', params }, options);
}
