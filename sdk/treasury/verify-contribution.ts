import type { VerifyBody, VerifyJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type VerifyContributionParams = ParamsOf<typeof VerifyBody>;
export type VerifyContributionResult = VerifyJson;
export type VerifyContributionError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'contributor_secret_invalid'
  | 'intent_not_found'
  | 'contribution_unseen'
  | 'treasury_not_configured'
  | 'contribution_replaced'
  | 'outpoint_used'
  | 'contribution_wrong_address'
  | 'contribution_wrong_amount'
  | 'contribution_wrong_tag'
  | 'contribution_is_change'
  | 'contribution_too_early'
  | 'contribution_too_late'
  | 'service_behind_node'
  | 'index_unavailable'
>;

/**
 * Verify that a transaction is the contribution of an intent.
 *
 * 200 when it is, with enough confirmations; 202 with `Retry-After` while it waits for them; otherwise the problem
 * says which thing is wrong. Asking changes nothing: contributions are attributed without it, by carrier or exact
 * amount, and a fee bump keeps both.
 *
 * @throws {VerifyContributionError}
 * @example
 * const answer = await verifyContribution(client, {
 *   txid: '5b1fd3f1…',
 *   intent_id: 'VI-7Q2M9K4T0XV8B3ND',
 * });
 */
export function verifyContribution(
  client: Client,
  params: VerifyContributionParams,
  options?: CallOptions,
): Promise<VerifyContributionResult> {
  return client.request({ method: 'POST', path: '/api/treasury/verify', body: params }, options);
}
