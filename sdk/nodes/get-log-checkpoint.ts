import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetLogCheckpointResult = string;
export type GetLogCheckpointError = CoinfrontError<CallErrorCode | 'index_unavailable' | 'log_empty'>;

/**
 * Newest checkpoint of the log.
 *
 * The head of the log as a signed note (C2SP tlog-checkpoint), with the lines of witnesses below. Keep it: the next one has to
 * go on from it; {@link followLog} sees to that.
 *
 * @throws {GetLogCheckpointError}
 * @example
 * const note = await getLogCheckpoint(client);
 */
export function getLogCheckpoint(client: Client, options?: CallOptions): Promise<GetLogCheckpointResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/log/checkpoint', answer: 'text' }, options);
}
