import type { TreasuryHealthJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetTreasuryHealthResult = TreasuryHealthJson;
export type GetTreasuryHealthError = CoinfrontError<CallErrorCode | 'index_unavailable'>;

/**
 * Service health.
 *
 * Answers 200 as long as the service lives, and says how far the ledger is: a contribution in a block above
 * `ledger_height` is not in it yet. Unknown heights are null.
 *
 * @throws {GetTreasuryHealthError}
 * @example
 * const treasuryHealth = await getTreasuryHealth(client);
 */
export function getTreasuryHealth(client: Client, options?: CallOptions): Promise<GetTreasuryHealthResult> {
  return client.request({ method: 'GET', path: '/api/treasury/health' }, options);
}
