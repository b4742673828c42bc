import type { ProofHashesView } from '@coinfront/api/proofs.ts';
import type { HeightParams } from '@coinfront/api/protocol-hashes.ts';
import type { HashesQuery } from '@coinfront/api/protocol-state.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetProofHashesParams = ParamsOf<typeof HeightParams> & ParamsOf<typeof HashesQuery>;
export type GetProofHashesResult = Static<typeof ProofHashesView>;
export type GetProofHashesError = CoinfrontError<
  IndexReadErrorCode | 'block_not_found' | 'state_unavailable' | 'state_too_large'
>;

/**
 * Hashes of a block.
 *
 * Two services that followed the same blocks with the same marker (`rules_id`) have the same hashes at every height; the
 * first height that differs is found by bisection of `chain_hash`.
 *
 * @throws {GetProofHashesError}
 * @example
 * const proofHashes = await getProofHashes(client, { height: 812000 });
 */
export function getProofHashes(
  client: Client,
  params: GetProofHashesParams,
  options?: CallOptions,
): Promise<GetProofHashesResult> {
  return client.request({ method: 'GET', path: '/api/v1/proof/hashes/{height}', params }, options);
}
