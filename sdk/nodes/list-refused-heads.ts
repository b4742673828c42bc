import type { RefusedHeadList } from '@coinfront/api/signed-log.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type ListRefusedHeadsResult = Static<typeof RefusedHeadList>;
export type ListRefusedHeadsError = CoinfrontError<CallErrorCode | 'index_unavailable'>;

/**
 * Checkpoints that this witness refused.
 *
 * Checkpoints that this service has not cosigned as a witness, each with the one that it has cosigned. `is_proof`: the log has signed
 * both, and there is no log that has both; these come first. Of others the reason says what was seen, which proves nothing to who has
 * not seen it. Newest first. Empty is good.
 *
 * @throws {ListRefusedHeadsError}
 * @example
 * const { items } = await listRefusedHeads(client);
 */
export function listRefusedHeads(client: Client, options?: CallOptions): Promise<ListRefusedHeadsResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/witness/refusals' }, options);
}
