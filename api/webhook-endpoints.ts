/** Webhook endpoints: receivers that a merchant adds by itself, each with the types of events that it wants. */

import Type, { type Static } from 'typebox';
import { Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { paymentLimits } from './payments.ts';
import { WebhookIdParameter, webhookEventTypes } from './webhooks.ts';

/** Endpoints of one merchant, and characters of a description, at most. */
export const webhookEndpointLimits = { count: 20, descriptionLength: 200 } as const;

const fields = {
  url: Type.String({
    minLength: 8,
    maxLength: paymentLimits.webhookUrlLength,
    description: 'Absolute https URL of the receiver. Two endpoints cannot have the same.',
  }),
  events: Nullable(
    Type.Array(OneOf(webhookEventTypes), {
      minItems: 1,
      maxItems: webhookEventTypes.length,
      uniqueItems: true,
      description: 'Types of events that are sent to it; null: all, also those that are added one day.',
    }),
  ),
  enabled: Type.Boolean({ description: 'Whether events are sent to it.' }),
  description: Type.String({
    maxLength: webhookEndpointLimits.descriptionLength,
    description: "The merchant's words.",
  }),
};

/** Path of one endpoint. */
export const WebhookEndpointParams = Strict({ webhook_id: WebhookIdParameter });

/** Body of POST /merchant/webhooks. */
export const WebhookEndpointBody = Strict(
  {
    url: fields.url,
    events: Type.Optional(fields.events),
    enabled: Type.Optional(fields.enabled),
    description: Type.Optional(fields.description),
  },
  { title: 'WebhookEndpointRequest' },
);
export type WebhookEndpointRequestJson = Static<typeof WebhookEndpointBody>;

/** Body of PATCH /merchant/webhooks/{webhook_id}. */
export const WebhookEndpointChangeBody = Strict(
  {
    url: Type.Optional(fields.url),
    events: Type.Optional(fields.events),
    enabled: Type.Optional(fields.enabled),
    description: Type.Optional(fields.description),
  },
  { title: 'WebhookEndpointChange' },
);
export type WebhookEndpointChangeJson = Static<typeof WebhookEndpointChangeBody>;

/** A webhook endpoint. */
export const WebhookEndpointView = Strict(
  {
    id: WebhookIdParameter,
    ...fields,
    gone_at: Nullable(
      Time(
        'When its receiver answered 410: nothing is sent to it until it is enabled, tested, or a delivery is asked for, again. Null otherwise.',
      ),
    ),
    created_at: Time('When it was made.'),
  },
  { title: 'WebhookEndpoint' },
);
export type WebhookEndpointJson = Static<typeof WebhookEndpointView>;

/** Query of the list of endpoints. */
export const WebhookEndpointListQuery = Strict(pageParameters);

/** A merchant's webhook endpoints, oldest first. */
export const WebhookEndpointList = Strict(pageOf(WebhookEndpointView), { title: 'WebhookEndpointList' });
export type WebhookEndpointListJson = Static<typeof WebhookEndpointList>;
