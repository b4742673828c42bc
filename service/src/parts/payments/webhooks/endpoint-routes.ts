import { pageLimits } from '@coinfront/api/paging.ts';
import {
  WebhookEndpointBody,
  WebhookEndpointChangeBody,
  type WebhookEndpointJson,
  WebhookEndpointList,
  WebhookEndpointListQuery,
  WebhookEndpointParams,
  WebhookEndpointView,
} from '@coinfront/api/webhook-endpoints.ts';
import { DeliveryView, type WebhookEventType } from '@coinfront/api/webhooks.ts';
import type { FastifyInstance } from 'fastify';
import { decodeTimedCursor, encodeTimedCursor } from '../../../http/cursor.ts';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import { writeTime } from '../write-time.ts';
import { changeEndpoint, createEndpoint, deleteEndpoint } from './change-endpoints.ts';
import { findEndpoint, type ListedEndpoint, listEndpoints } from './endpoint-store.ts';
import { endpointExamples } from './examples-endpoints.ts';
import { findDelivery } from './list-deliveries.ts';
import { sendTest } from './send-test.ts';
import { webhookNotFound } from './webhook-refusals.ts';

const tag = 'Webhooks';
const ofOne = {
  path: '/merchant/webhooks/:webhook_id',
  params: WebhookEndpointParams,
  response: WebhookEndpointView,
} as const;
const parameterExamples = { webhook_id: endpointExamples.endpoint.id };

/** `/merchant/webhooks`. */
export function registerEndpointRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  registerReads(app, context);
  registerChanges(app, context);
  registerTest(app, context);
}

function registerReads(app: FastifyInstance, context: PaymentRouteContext): void {
  const { precious } = context;
  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/webhooks',
    query: WebhookEndpointListQuery,
    response: WebhookEndpointList,
    operation: {
      id: 'listWebhooks',
      tag,
      summary: 'Webhook endpoints, oldest first',
      description: 'Receivers of events besides the `webhook_url` of a payment, or else of the merchant.',
      errors: ['index_unavailable'],
      example: endpointExamples.list,
    },
    async call({ merchant, query: { limit = pageLimits.default, cursor } }) {
      const above = decodeTimedCursor('webhooks', merchant.id, cursor);
      const rows = await listEndpoints(paymentQuery(precious), merchant.id, above, limit + 1);
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const next = last && { atMs: last.created_at, id: last.id };
      return {
        items: shown.map(serialiseEndpoint),
        next_cursor: next ? encodeTimedCursor('webhooks', merchant.id, next) : null,
      };
    },
  });

  registerMerchantCall(app, context, {
    ...ofOne,
    method: 'GET',
    operation: {
      id: 'getWebhook',
      tag,
      summary: 'One webhook endpoint',
      description: 'Where it leads, which events it gets, and whether its receiver answered 410.',
      errors: ['webhook_not_found', 'index_unavailable'],
      parameterExamples,
      example: endpointExamples.endpoint,
    },
    async call({ merchant, params: { webhook_id: id } }) {
      const found = await findEndpoint(paymentQuery(precious), merchant.id, id);
      if (found === undefined) throw webhookNotFound(id);
      return serialiseEndpoint(found);
    },
  });
}

function registerChanges(app: FastifyInstance, context: PaymentRouteContext): void {
  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/merchant/webhooks',
    body: WebhookEndpointBody,
    response: WebhookEndpointView,
    cost: 5,
    operation: {
      id: 'createWebhook',
      tag,
      status: 201,
      summary: 'Add a webhook endpoint',
      description:
        'From now on it gets every event of the types that it names, signed with the webhook secret of the merchant, besides ' +
        'the `webhook_url` of the payment or the merchant. One URL never gets an event twice.',
      errors: ['webhook_url_refused', 'webhook_exists', 'webhooks_exhausted', 'index_unavailable'],
      bodyExample: endpointExamples.request,
      example: endpointExamples.endpoint,
    },
    call: async ({ merchant, body }) => serialiseEndpoint(await createEndpoint(context, merchant.id, body)),
  });

  registerMerchantCall(app, context, {
    ...ofOne,
    method: 'PATCH',
    body: WebhookEndpointChangeBody,
    cost: 5,
    operation: {
      id: 'updateWebhook',
      tag,
      summary: 'Change a webhook endpoint',
      description:
        'A field that is left out stays as it is. Disabling ends what waits to be sent to it. `"enabled": true` also lets a ' +
        'receiver that answered 410 have events again. What waits for an earlier URL is still sent there.',
      errors: ['webhook_not_found', 'webhook_url_refused', 'webhook_exists', 'index_unavailable'],
      parameterExamples,
      bodyExample: endpointExamples.change,
      example: endpointExamples.changed,
    },
    call: async ({ merchant, params, body }) =>
      serialiseEndpoint(await changeEndpoint(context, merchant.id, params.webhook_id, body)),
  });

  registerMerchantCall(app, context, {
    ...ofOne,
    method: 'DELETE',
    cost: 5,
    operation: {
      id: 'deleteWebhook',
      tag,
      summary: 'Delete a webhook endpoint',
      description:
        'Answers with what it was. What waits to be sent to it is ended; its deliveries stay listed.',
      errors: ['webhook_not_found', 'index_unavailable'],
      parameterExamples,
      example: endpointExamples.endpoint,
    },
    call: async ({ merchant, params }) =>
      serialiseEndpoint(await deleteEndpoint(context, merchant.id, params.webhook_id)),
  });
}

function registerTest(app: FastifyInstance, context: PaymentRouteContext): void {
  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/merchant/webhooks/:webhook_id/test',
    params: WebhookEndpointParams,
    response: DeliveryView,
    cost: 5,
    operation: {
      id: 'testWebhook',
      tag,
      summary: 'Send a test event to a webhook endpoint',
      description:
        'An event of the type `webhook.test`, marked as a test and without a payment, is sent to this endpoint only, signed and ' +
        'tried again like any other. The answer is its delivery; read it again to see how it went.',
      errors: ['webhook_not_found', 'webhook_disabled', 'index_unavailable'],
      parameterExamples,
      example: endpointExamples.test,
    },
    async call({ merchant, params }) {
      const id = await sendTest(context, merchant.id, params.webhook_id);
      return (await findDelivery(paymentQuery(context.precious), merchant.id, id))!;
    },
  });
}

function serialiseEndpoint(endpoint: ListedEndpoint): WebhookEndpointJson {
  const { id, url, events, enabled, description, gone_at, created_at } = endpoint;
  return {
    id,
    url,
    events: events === null ? null : (JSON.parse(events) as WebhookEventType[]),
    enabled: enabled === 1,
    description,
    gone_at: gone_at === null ? null : writeTime(gone_at),
    created_at: writeTime(created_at),
  };
}
