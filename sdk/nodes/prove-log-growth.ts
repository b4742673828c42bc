import type { LogGrowthQuery, LogGrowthView } from '@coinfront/api/signed-log.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type ProveLogGrowthParams = ParamsOf<typeof LogGrowthQuery>;
export type ProveLogGrowthResult = Static<typeof LogGrowthView>;
export type ProveLogGrowthError = CoinfrontError<CallErrorCode | 'index_unavailable' | 'log_empty'>;

/**
 * Proof that the log goes on from an earlier checkpoint.
 *
 * The consistency proof of RFC 6962 (2.1.2) between two sizes of the log. It has no hash where one is 0 or both are the same.
 *
 * @throws {ProveLogGrowthError}
 * @example
 * const { path } = await proveLogGrowth(client, { from: 6, to: 9 });
 */
export function proveLogGrowth(
  client: Client,
  params: ProveLogGrowthParams,
  options?: CallOptions,
): Promise<ProveLogGrowthResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/log/consistency', params }, options);
}
