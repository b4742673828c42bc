import type { StatePageJson, StateQuery } from '@coinfront/api/protocol-state.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListProofStateParams = ParamsOf<typeof StateQuery>;
export type ListProofStateResult = StatePageJson;
export type ListProofStateError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'cursor_expired' | 'block_not_found' | 'state_unavailable'
>;

/**
 * All digests with their primary anchors, as they are hashed.
 *
 * Digests. All pages are of the block of the first one, the tip or that of `height`, also when others come; `verifyState` reads them and computes state(h).
 *
 * @throws {ListProofStateError}
 * @example
 * const page = await listProofState(client);
 */
export function listProofState(
  client: Client,
  params: ListProofStateParams = {},
  options?: CallOptions,
): Promise<ListProofStateResult> {
  return client.request({ method: 'GET', path: '/api/v1/proof/state', params }, options);
}
