import type { StatePageJson, StateQuery } from '@coinfront/api/protocol-state.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListTokenStateParams = ParamsOf<typeof StateQuery>;
export type ListTokenStateResult = StatePageJson;
export type ListTokenStateError = CoinfrontError<
  IndexReadErrorCode | CursorErrorCode | 'cursor_expired' | 'block_not_found' | 'state_unavailable'
>;

/**
 * The state of all tokens, as it is hashed.
 *
 * Tokens, then balances. All pages are of the block of the first one, the tip or that of `height`, also when others come; `verifyState` reads them and computes state(h).
 *
 * @throws {ListTokenStateError}
 * @example
 * const page = await listTokenState(client);
 */
export function listTokenState(
  client: Client,
  params: ListTokenStateParams = {},
  options?: CallOptions,
): Promise<ListTokenStateResult> {
  return client.request({ method: 'GET', path: '/api/v1/tok/state', params }, options);
}
