import type { NodeJson, NodeParams } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetNodeParams = ParamsOf<typeof NodeParams>;
export type GetNodeResult = NodeJson;
export type GetNodeError = CoinfrontError<CallErrorCode | 'index_unavailable' | 'node_not_found'>;

/**
 * One node.
 *
 * A node that is or was registered, by its key.
 *
 * @throws {GetNodeError}
 * @example
 * const { total, last_verdict } = await getNode(client, { node_key: '8a875fff…' });
 */
export function getNode(
  client: Client,
  params: GetNodeParams,
  options?: CallOptions,
): Promise<GetNodeResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/nodes/{node_key}', params }, options);
}
