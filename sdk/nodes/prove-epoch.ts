import type { EpochParams, EpochProofView } from '@coinfront/api/registry.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type ProveEpochParams = ParamsOf<typeof EpochParams>;
export type ProveEpochResult = Static<typeof EpochProofView>;
export type ProveEpochError = CoinfrontError<
  CallErrorCode | 'epoch_not_found' | 'epoch_open' | 'index_unavailable' | 'log_empty'
>;

/**
 * Proof that a closed epoch is in the log, and the log in the chain.
 *
 * The inclusion proof of the epoch in a checkpoint of the log, and the proof of the digest of that checkpoint in the chain.
 * {@link verifyEpoch} checks both.
 *
 * @throws {ProveEpochError}
 * @example
 * const { checkpoint, anchor } = await proveEpoch(client, { epoch: 5641 });
 */
export function proveEpoch(
  client: Client,
  params: ProveEpochParams,
  options?: CallOptions,
): Promise<ProveEpochResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/epochs/{epoch}/proof', params }, options);
}
