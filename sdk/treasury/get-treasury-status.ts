import type { TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetTreasuryStatusResult = TreasuryStatusJson;
export type GetTreasuryStatusError = CoinfrontError<
  CallErrorCode | 'treasury_not_configured' | 'index_unavailable'
>;

/**
 * Treasury status and on-chain reconciliation.
 *
 * The rules, and every figure of the ledger beside the unspent outputs of the address, at one block. `difference` is
 * 0: ledger_total = verified_in + confirming_in + unattributed_in + coinbase_in + change_in - out - fees = utxo_total.
 * Anybody with a node can check utxo_total by `scantxoutset`. While the ledger cannot be compared the reconciliation
 * is null, never an old one.
 *
 * @throws {GetTreasuryStatusError}
 * @example
 * const treasuryStatus = await getTreasuryStatus(client);
 */
export function getTreasuryStatus(client: Client, options?: CallOptions): Promise<GetTreasuryStatusResult> {
  return client.request({ method: 'GET', path: '/api/treasury/status' }, options);
}
