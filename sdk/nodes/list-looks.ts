import type { PageQuery } from '@coinfront/api/paging.ts';
import type { LooksListJson } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode } from '../client/error-codes.ts';

export type ListLooksParams = ParamsOf<typeof PageQuery>;
export type ListLooksResult = LooksListJson;
export type ListLooksError = CoinfrontError<CallErrorCode | CursorErrorCode>;

/**
 * Statements of vantage points.
 *
 * What this service and its vantage points have signed of their looks at nodes, one statement each and slot; newest slot first.
 * Receipts name those that made their verdict. Empty where the operator counts no vantage points.
 *
 * @throws {ListLooksError}
 * @example
 * const { items, next_cursor } = await listLooks(client, { limit: 10 });
 */
export function listLooks(
  client: Client,
  params: ListLooksParams = {},
  options?: CallOptions,
): Promise<ListLooksResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/looks', params }, options);
}
