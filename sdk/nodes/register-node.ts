import type { ClaimJson, RegisterBody } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type RegisterNodeParams = ParamsOf<typeof RegisterBody>;
export type RegisterNodeResult = ClaimJson;
export type RegisterNodeError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'address_invalid'
  | 'claims_exhausted'
  | 'endpoint_invalid'
  | 'endpoint_refused'
  | 'index_unavailable'
  | 'network_full'
  | 'node_blocked'
  | 'node_key_invalid'
  | 'registry_closed'
  | 'registry_full'
>;

/**
 * Ask for the text that registers a node.
 *
 * The first of two steps. The text names this service, the registry, the network, the node key, the endpoint and the
 * payout address; node key and payout address both sign it within an hour. The same key again renews or moves its
 * registration. An endpoint that another node holds changes hands only when the node there shows the token of the
 * claim.
 *
 * @throws {RegisterNodeError}
 * @example
 * const { id, message } = await registerNode(client, {
 *   node_key: nodePublicKey(keys, 0),
 *   endpoint: '203.0.113.7:29666',
 *   payout_address: 'bc1q50rtr…',
 * });
 */
export function registerNode(
  client: Client,
  params: RegisterNodeParams,
  options?: CallOptions,
): Promise<RegisterNodeResult> {
  return client.request({ method: 'POST', path: '/api/nodeproof/register', body: params }, options);
}
