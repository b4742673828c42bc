import type { VerifiedClaimView, VerifyClaimBody } from '@coinfront/api/registry.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type VerifyClaimParams = ParamsOf<typeof VerifyClaimBody>;
export type VerifyClaimResult = Static<typeof VerifiedClaimView>;
export type VerifyClaimError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'claim_expired'
  | 'claim_not_found'
  | 'claim_used'
  | 'claims_exhausted'
  | 'index_unavailable'
  | 'network_full'
  | 'node_blocked'
  | 'registry_full'
  | 'signature_invalid'
>;

/**
 * Verify ownership of a claim.
 *
 * Takes the signatures of payout address and node key over the text of the claim, and registers the node. A claim is
 * good once; a wrong signature leaves it as it is. 202 when another node holds the endpoint: see `awaiting_endpoint`.
 *
 * @throws {VerifyClaimError}
 * @example
 * const { claim, node } = await verifyClaim(client, {
 *   claim_id: id,
 *   address_signature,
 *   node_signature: signAsNode(keys, 0, message),
 * });
 */
export function verifyClaim(
  client: Client,
  params: VerifyClaimParams,
  options?: CallOptions,
): Promise<VerifyClaimResult> {
  return client.request({ method: 'POST', path: '/api/nodeproof/claim/verify', body: params }, options);
}
