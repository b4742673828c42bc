import type { PageQuery } from '@coinfront/api/paging.ts';
import type { DigestParams, ProofJson } from '@coinfront/api/proofs.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type LookUpProofParams = ParamsOf<typeof DigestParams, typeof PageQuery>;
export type LookUpProofResult = ProofJson;
export type LookUpProofError = CoinfrontError<IndexReadErrorCode | CursorErrorCode | 'cursor_expired'>;

/**
 * The proof of a digest.
 *
 * The primary anchor is the first one in the chain, with all that checks it offline: the transaction without witness,
 * the merkle branch and the header. Check that output `vout` is `script`, that the transaction hashes to the txid and
 * the branch to the merkle root of the header, and that the header is one of your chain. A digest that nobody anchored
 * is `unknown`, with status 200.
 *
 * @throws {LookUpProofError}
 * @example
 * const proof = await lookUpProof(client, { sha256: 'e3b0c442…' });
 */
export function lookUpProof(
  client: Client,
  params: LookUpProofParams,
  options?: CallOptions,
): Promise<LookUpProofResult> {
  return client.request({ method: 'GET', path: '/api/v1/proof/lookup/{sha256}', params }, options);
}
