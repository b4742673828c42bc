import type { NodeAlertsJson, NodeParams, SetNodeAlertsBody } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type SetNodeAlertsParams = ParamsOf<typeof NodeParams> & ParamsOf<typeof SetNodeAlertsBody>;
export type SetNodeAlertsResult = NodeAlertsJson;
export type SetNodeAlertsError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'claim_expired'
  | 'claim_used'
  | 'claims_exhausted'
  | 'index_unavailable'
  | 'node_blocked'
  | 'node_not_found'
  | 'registry_closed'
  | 'signature_invalid'
  | 'webhook_url_refused'
>;

/**
 * Set where alerts about a node go.
 *
 * Takes the node key's signature of a text that names the URL (docs/protocols/registry.md). The owner is told there when the node fails, comes
 * back, is not eligible for an epoch, lapses or loses its endpoint. A URL of null ends it. The secret is shown once.
 *
 * @throws {SetNodeAlertsError}
 * @example
 * const { secret } = await setNodeAlerts(client, signNodeAlerts(keys, { domain, registryKey, nodeIndex: 0, url, nowMs: Date.now() }));
 */
export function setNodeAlerts(
  client: Client,
  { node_key, ...body }: SetNodeAlertsParams,
  options?: CallOptions,
): Promise<SetNodeAlertsResult> {
  return client.request(
    { method: 'POST', path: '/api/nodeproof/nodes/{node_key}/alerts', params: { node_key }, body },
    options,
  );
}
