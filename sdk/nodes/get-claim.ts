import type { ClaimJson, ClaimParams } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetClaimParams = ParamsOf<typeof ClaimParams>;
export type GetClaimResult = ClaimJson;
export type GetClaimError = CoinfrontError<CallErrorCode | 'claim_not_found' | 'index_unavailable'>;

/**
 * Ownership claim.
 *
 * The text that has to be signed, by whom, and what became of the claim.
 *
 * @throws {GetClaimError}
 * @example
 * const { state, message } = await getClaim(client, { id: 'clm_5a1yXlqS6Gq3n0w1b2c3dA' });
 */
export function getClaim(
  client: Client,
  params: GetClaimParams,
  options?: CallOptions,
): Promise<GetClaimResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/claim/{id}', params }, options);
}
