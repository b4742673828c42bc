/** Example bodies for the OpenAPI document: webhook endpoints. */

import type {
  WebhookEndpointChangeJson,
  WebhookEndpointJson,
  WebhookEndpointListJson,
  WebhookEndpointRequestJson,
} from '@coinfront/api/webhook-endpoints.ts';
import type { DeliveryJson } from '@coinfront/api/webhooks.ts';

const request: WebhookEndpointRequestJson = {
  url: 'https://books.example/coin',
  events: ['payment.paid', 'payment.overpaid', 'payment.reorged'],
  description: 'Bookkeeping',
};

const endpoint: WebhookEndpointJson = {
  id: 'whk_3M8XQ0R5ZK7W2T9B6C4N',
  url: 'https://books.example/coin',
  events: ['payment.paid', 'payment.overpaid', 'payment.reorged'],
  enabled: true,
  description: 'Bookkeeping',
  gone_at: null,
  created_at: '2026-03-01T11:00:00.000Z',
};

const test: DeliveryJson = {
  id: 'dlv_5R9W2B6C3N0T5Z8Q2M7X',
  event_id: 'evt_2M9XB6T3C7N4W1K8Q5RZ',
  type: 'webhook.test',
  payment_id: null,
  sequence: 3,
  url: endpoint.url,
  webhook_id: endpoint.id,
  state: 'pending',
  attempts: [],
  next_attempt_at: '2026-03-01T11:05:00.000Z',
  created_at: '2026-03-01T11:05:00.000Z',
  ended_at: null,
};

/** Examples of the routes about webhook endpoints. */
export const endpointExamples = {
  request,
  endpoint,
  change: { events: null } satisfies WebhookEndpointChangeJson,
  changed: { ...endpoint, events: null } satisfies WebhookEndpointJson,
  list: { items: [endpoint], next_cursor: null } satisfies WebhookEndpointListJson,
  test,
};
