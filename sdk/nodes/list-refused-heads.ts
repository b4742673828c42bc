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
 * Checkpoints that a log has signed and that do not go on from what this service has cosigned as a witness, newest first, each with
 * the one before. Both are signed by the log: together they prove that it was changed. Empty is good.
 *
 * @throws {ListRefusedHeadsError}
 * @example
 * const { items } = await listRefusedHeads(client);
 */
export function listRefusedHeads(client: Client, options?: CallOptions): Promise<ListRefusedHeadsResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/witness/refusals' }, options);
}
