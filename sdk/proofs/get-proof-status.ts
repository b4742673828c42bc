import type { ProofStatusView } from '@coinfront/api/proofs.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetProofStatusResult = Static<typeof ProofStatusView>;
export type GetProofStatusError = CoinfrontError<IndexReadErrorCode>;

/**
 * State of the proof service.
 *
 * How far anchors are indexed, how many there are, and whether this service sends transactions. `replicas` are the peers
 * that the operator compares this service with.
 *
 * @throws {GetProofStatusError}
 * @example
 * const proofStatus = await getProofStatus(client);
 */
export function getProofStatus(client: Client, options?: CallOptions): Promise<GetProofStatusResult> {
  return client.request({ method: 'GET', path: '/api/v1/proof/status' }, options);
}
