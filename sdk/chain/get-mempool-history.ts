import type { MempoolHistoryJson, MempoolHistoryQuery } from '@coinfront/api/mempool-history.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetMempoolHistoryParams = ParamsOf<typeof MempoolHistoryQuery>;
export type GetMempoolHistoryResult = MempoolHistoryJson;
export type GetMempoolHistoryError = CoinfrontError<CallErrorCode | 'index_unavailable'>;

/**
 * The mempool over time by fee rate.
 *
 * How much waited at which fee rates, as this service saw it: every minute of the last day, every ten minutes of a week, every hour of a
 * month, means of six hours of a year. A step without a point was not observed: the service was down, or did not know all of the mempool.
 *
 * @throws {GetMempoolHistoryError}
 * @example
 * const { points } = await getMempoolHistory(client, { range: 'week' });
 */
export function getMempoolHistory(
  client: Client,
  params: GetMempoolHistoryParams = {},
  options?: CallOptions,
): Promise<GetMempoolHistoryResult> {
  return client.request({ method: 'GET', path: '/api/v1/mempool/history', params }, options);
}
