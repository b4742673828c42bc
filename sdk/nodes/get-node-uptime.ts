import type { NodeParams, NodeUptimeJson } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetNodeUptimeParams = ParamsOf<typeof NodeParams>;
export type GetNodeUptimeResult = NodeUptimeJson;
export type GetNodeUptimeError = CoinfrontError<CallErrorCode | 'index_unavailable' | 'node_not_found'>;

/**
 * Uptime of a node by day.
 *
 * The latest 90 days (UTC), oldest first. Of a day without a slot that was judged nothing is known: its `uptime_ppm` is null.
 *
 * @throws {GetNodeUptimeError}
 * @example
 * const { days } = await getNodeUptime(client, { node_key: '8a875fff…' });
 */
export function getNodeUptime(
  client: Client,
  params: GetNodeUptimeParams,
  options?: CallOptions,
): Promise<GetNodeUptimeResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/nodes/{node_key}/uptime', params }, options);
}
