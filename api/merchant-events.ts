/** The feed of a merchant's events. */

import Type, { type Static } from 'typebox';
import { Count, Nullable, OneOf, Strict, Time } from './common.ts';
import { pageParameters } from './paging.ts';
import { PaymentIdParameter } from './payments.ts';
import {
  DeliveryIdParameter,
  deliveryStates,
  type PaymentEventJson,
  type PoolEventJson,
  type RefundEventJson,
  type TestEventJson,
  testEventType,
  webhookEventTypes,
} from './webhooks.ts';

/** How far back the feed begins, days. */
export const eventFeedDays = 90;

/** Query of GET /merchant/events. */
export const EventFeedQuery = Strict({
  ...pageParameters,
  type: Type.Optional(
    OneOf([...webhookEventTypes, testEventType], { description: 'Only events of this type.' }),
  ),
  payment_id: Type.Optional(PaymentIdParameter),
  since: Type.Optional(
    Type.String({
      minLength: 20,
      maxLength: 30,
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?Z$',
      description: 'Only events from this time on. UTC, ISO 8601.',
    }),
  ),
});

/** How one delivery of an event stands. */
export const EventDeliveryView = Strict(
  {
    id: DeliveryIdParameter,
    url: Type.String({ description: 'The receiver.' }),
    webhook_id: Nullable(
      Type.String({
        description: 'The endpoint that it is for; null for the webhook_url of the payment or the merchant.',
      }),
    ),
    state: OneOf(deliveryStates, { description: 'How it stands; GET /merchant/deliveries has its tries.' }),
    tries: Count('How often it was tried.'),
    last_status: Nullable(Count('HTTP status of the last answer; null when there was none.')),
    last_error: Nullable(Type.String({ description: 'Why the last try did not count.' })),
    next_attempt_at: Nullable(Time('When it is tried next; null when it has ended.')),
    ended_at: Nullable(Time('When it was delivered or given up.')),
  },
  { title: 'EventDelivery' },
);

/** One event of the feed. */
export const FeedEventView = Strict(
  {
    id: Type.String({ description: 'The event: act once for each.' }),
    type: Type.String({ description: 'Its type.' }),
    payment_id: Nullable(PaymentIdParameter),
    sequence: Count('Its sequence, as in its body.'),
    created_at: Time('When it happened.'),
    body: Type.Unsafe<PaymentEventJson | PoolEventJson | RefundEventJson | TestEventJson>({
      type: 'object',
      additionalProperties: true,
      description:
        'What webhooks carry: PaymentEvent, RefundEvent, PoolEvent or TestEvent, as it was written then, also by an earlier version.',
    }),
    deliveries: Type.Array(EventDeliveryView, {
      description: 'How its deliveries stand now; empty when it had no receiver, or they were purged.',
    }),
  },
  { title: 'FeedEvent' },
);
export type FeedEventJson = Static<typeof FeedEventView>;

/** A piece of the feed, oldest first. */
export const EventFeed = Strict(
  {
    items: Type.Array(FeedEventView),
    next_cursor: Type.String({
      description:
        'Give it as `cursor` to go on. Always there, also at the end of the feed: keep it, and ask with it again later for what has ' +
        'happened since.',
    }),
    has_more: Type.Boolean({
      description:
        'Whether there is more at once. A page can be short, or empty, and have more behind it: a request looks at a bounded ' +
        'number of events.',
    }),
  },
  { title: 'EventFeed' },
);
export type EventFeedJson = Static<typeof EventFeed>;
