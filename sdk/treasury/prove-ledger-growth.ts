import type { LogGrowthQuery, LogGrowthView } from '@coinfront/api/signed-log.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type ProveLedgerGrowthParams = ParamsOf<typeof LogGrowthQuery>;
export type ProveLedgerGrowthResult = Static<typeof LogGrowthView>;
export type ProveLedgerGrowthError = CoinfrontError<
  CallErrorCode | 'index_unavailable' | 'log_empty' | 'treasury_not_configured'
>;

/**
 * Proof that the log of the treasury's ledger goes on from an earlier checkpoint.
 *
 * The consistency proof of RFC 6962 (2.1.2) between two sizes of the log. It has no hash where one is 0 or both are the same.
 *
 * @throws {ProveLedgerGrowthError}
 * @example
 * const { path } = await proveLedgerGrowth(client, { from: 6, to: 9 });
 */
export function proveLedgerGrowth(
  client: Client,
  params: ProveLedgerGrowthParams,
  options?: CallOptions,
): Promise<ProveLedgerGrowthResult> {
  return client.request({ method: 'GET', path: '/api/treasury/log/consistency', params }, options);
}
