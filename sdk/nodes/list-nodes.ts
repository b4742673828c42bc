import type { NodeList, NodeQuery } from '@coinfront/api/registry.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode } from '../client/error-codes.ts';

export type ListNodesParams = ParamsOf<typeof NodeQuery>;
export type ListNodesResult = Static<typeof NodeList>;
export type ListNodesError = CoinfrontError<CallErrorCode | CursorErrorCode | 'index_unavailable'>;

/**
 * Nodes.
 *
 * Registered nodes in the order of their keys, with what their slots say. Uptime is counted in slots that were judged;
 * void ones count neither way.
 *
 * @throws {ListNodesError}
 * @example
 * const { items, next_cursor } = await listNodes(client, { limit: 50 });
 */
export function listNodes(
  client: Client,
  params: ListNodesParams,
  options?: CallOptions,
): Promise<ListNodesResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/nodes', params }, options);
}
