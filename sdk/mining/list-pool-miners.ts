import type { MinerListJson, MinerQuery } from '@coinfront/api/mining.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode } from '../client/error-codes.ts';

export type ListPoolMinersParams = ParamsOf<typeof MinerQuery>;
export type ListPoolMinersResult = MinerListJson;
export type ListPoolMinersError = CoinfrontError<
  CallErrorCode | CursorErrorCode | 'pool_not_found' | 'cursor_expired'
>;

/**
 * Miners of a pool.
 *
 * Highest hashrate first, as the software of the pool says. All pages of a list are of one reading; one that is older
 * than the last two has expired. Sources without a list of miners have no items and `listed` null.
 *
 * @throws {ListPoolMinersError}
 * @example
 * const { items, next_cursor } = await listPoolMiners(client);
 */
export function listPoolMiners(
  client: Client,
  params: ListPoolMinersParams = {},
  options?: CallOptions,
): Promise<ListPoolMinersResult> {
  return client.request({ method: 'GET', path: '/api/v1/pool/miners', params }, options);
}
