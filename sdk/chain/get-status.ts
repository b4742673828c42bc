import type { ChainStatusJson } from '@coinfront/api/chain-state.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetStatusResult = ChainStatusJson;
export type GetStatusError = CoinfrontError<IndexReadErrorCode>;

/**
 * Node and chain status.
 *
 * The indexed tip and mempool, and what the node last said of itself; it is asked in the background.
 *
 * @throws {GetStatusError}
 * @example
 * const status = await getStatus(client);
 */
export function getStatus(client: Client, options?: CallOptions): Promise<GetStatusResult> {
  return client.request({ method: 'GET', path: '/api/v1/status' }, options);
}
