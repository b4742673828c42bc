import type { StatePageJson, StateQuery } from '@coinfront/api/protocol-state.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListNameStateParams = ParamsOf<typeof StateQuery>;
export type ListNameStateResult = StatePageJson;
export type ListNameStateError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'cursor_expired' | 'block_not_found' | 'state_unavailable'
>;

/**
 * The live state of the registry, as it is hashed.
 *
 * Names, then commitments, as far as they are live. All pages are of the block of the first one, the tip or that of `height`, also when others come; `verifyState` reads them and computes state(h).
 *
 * @throws {ListNameStateError}
 * @example
 * const page = await listNameState(client);
 */
export function listNameState(
  client: Client,
  params: ListNameStateParams = {},
  options?: CallOptions,
): Promise<ListNameStateResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/state', params }, options);
}
