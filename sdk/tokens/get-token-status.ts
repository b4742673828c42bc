import type { TokenStatusView } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTokenStatusResult = Static<typeof TokenStatusView>;
export type GetTokenStatusError = CoinfrontError<IndexReadErrorCode>;

/**
 * State of the index of tokens: activation, hashes, replicas.
 *
 * Two services that followed the same blocks by the same rules (`rules_id`) have the same hashes, to the bit. `replicas` are the peers
 * that the operator compares this service with.
 *
 * @throws {GetTokenStatusError}
 * @example
 * const tokenStatus = await getTokenStatus(client);
 */
export function getTokenStatus(client: Client, options?: CallOptions): Promise<GetTokenStatusResult> {
  return client.request({ method: 'GET', path: '/api/v1/tok/status' }, options);
}
