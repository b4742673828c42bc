import { NodeAlertsView, NodeParams, SetNodeAlertsBody } from '@coinfront/api/registry.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../../http/call-route.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import { writeTime } from '../write-time.ts';
import { setReceiver } from './set-receiver.ts';

/** `POST /nodes/{node_key}/alerts`. */
export function registerAlertRoute(app: FastifyInstance, context: RegistryContext): void {
  registerCall(app, {
    method: 'POST',
    path: '/nodes/:node_key/alerts',
    params: NodeParams,
    body: SetNodeAlertsBody,
    response: NodeAlertsView,
    cache: 'none',
    cost: 10,
    operation: {
      document: 'nodes',
      id: 'setNodeAlerts',
      tag: 'Nodes',
      summary: 'Set where alerts about a node go',
      description:
        "Takes the node key's signature of a text that names the URL (docs/protocols/registry.md). The owner is told there when the node fails, comes back, is not eligible for an epoch, lapses or loses its endpoint. " +
        'A URL of null ends it. The secret is shown once.',
      errors: [
        'node_not_found',
        'node_blocked',
        'claim_expired',
        'claim_used',
        'signature_invalid',
        'webhook_url_refused',
        'claims_exhausted',
        'registry_closed',
        'index_unavailable',
      ],
      parameterExamples: { node_key: registryExamples.node.node_key },
      bodyExample: registryExamples.alertRequest,
      example: registryExamples.alerts,
    },
    async call({ params, body, request }) {
      const row = await setReceiver(context, params.node_key.toLowerCase(), body, request.ip);
      const { node_key, url, secret, issued_at } = row;
      return { node_key, url, secret, issued_at: writeTime(issued_at) };
    },
  });
}
