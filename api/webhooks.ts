/** Webhooks: schemas of events, deliveries, and what the requests that carry them look like. */

import Type, { type Static } from 'typebox';
import { Count, Hash, Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { PaymentIdParameter, PaymentView, paymentStatuses } from './payments.ts';
import { LeftoverView, refundStates } from './refunds.ts';

/** Events of a payment, and of a merchant's pool. */
export const paymentEventTypes = [
  'payment.created',
  ...paymentStatuses.filter((status) => status !== 'open').map((status) => `payment.${status}` as const),
  'payment.open',
  'payment.received',
  'payment.late',
] as const;
export const poolEventTypes = ['pool.low', 'pool.exhausted'] as const;
export const refundEventTypes = [
  'refund.created',
  ...refundStates.filter((state) => state !== 'open').map((state) => `refund.${state}` as const),
  'refund.address',
] as const;
export type PaymentEventType = (typeof paymentEventTypes)[number];
export type PoolEventType = (typeof poolEventTypes)[number];
export type RefundEventType = (typeof refundEventTypes)[number];
/** What an endpoint can choose from. */
export const webhookEventTypes = [...paymentEventTypes, ...refundEventTypes, ...poolEventTypes] as const;
export type WebhookEventType = PaymentEventType | PoolEventType | RefundEventType;
/** The event of a test; it goes only to the endpoint that is tested. */
export const testEventType = 'webhook.test';

/** Identifier of a webhook endpoint. */
export const WebhookIdParameter = Type.String({
  pattern: '^whk_[0-9A-HJKMNP-TV-Z]{20}$',
  minLength: 24,
  maxLength: 24,
  description: 'Identifier of a webhook endpoint.',
});

const TipView = Nullable(
  Strict(
    { height: Count('Height of the tip.'), hash: Hash('The tip.') },
    { description: 'Tip at that time.' },
  ),
);

const eventFields = {
  id: Type.String({ description: 'The same in every delivery of this event: act once for each.' }),
  created_at: Time('When it happened.'),
  sequence: Count(
    'Grows with each event of the payment; of those without a payment, with each of them. A lower one than seen is older news.',
  ),
};

/** Body of a webhook about a payment. */
export const PaymentEventView = Strict(
  {
    ...eventFields,
    type: OneOf(paymentEventTypes, { description: 'What happened.' }),
    data: Strict({
      payment: PaymentView,
      order_id: Nullable(
        Type.String({ description: "The merchant's name of the order; null when none was given." }),
      ),
      tip: TipView,
    }),
  },
  { title: 'PaymentEvent' },
);
export type PaymentEventJson = Static<typeof PaymentEventView>;

/** Body of a webhook about the merchant's address pool. */
export const PoolEventView = Strict(
  {
    ...eventFields,
    type: OneOf(poolEventTypes, { description: 'What happened.' }),
    data: Strict({
      ready: Count('Addresses that are ready to be leased.'),
      threshold: Count('Where `pool.low` is told.'),
    }),
  },
  { title: 'PoolEvent' },
);
export type PoolEventJson = Static<typeof PoolEventView>;

/** Body of a webhook that a merchant asked for to see whether it arrives. */
export const TestEventView = Strict(
  {
    ...eventFields,
    type: OneOf([testEventType], { description: 'A test: nothing happened.' }),
    data: Strict({
      test: Type.Literal(true, { description: 'Always true.' }),
      webhook_id: WebhookIdParameter,
    }),
  },
  { title: 'TestEvent' },
);
export type TestEventJson = Static<typeof TestEventView>;
/** Body of a webhook about money that goes back; its sequence is one of the payment's. */
export const RefundEventView = Strict(
  {
    ...eventFields,
    type: OneOf(refundEventTypes, { description: 'What happened.' }),
    data: Strict({
      payment: PaymentView,
      leftover: LeftoverView,
      refund_id: Nullable(
        Type.String({
          description: 'The refund of `leftover.refunds` that it is about; null of an address.',
        }),
      ),
      tip: TipView,
    }),
  },
  { title: 'RefundEvent' },
);
export type RefundEventJson = Static<typeof RefundEventView>;

/** States of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'dead', 'disabled'] as const;

/** Identifier of a delivery in a path. */
export const DeliveryIdParameter = Type.String({
  pattern: '^dlv_[0-9A-HJKMNP-TV-Z]{20}$',
  minLength: 24,
  maxLength: 24,
  description: 'Identifier of a delivery.',
});

/** Path of one delivery. */
export const DeliveryParams = Strict({ delivery_id: DeliveryIdParameter });

/** One try to deliver. */
export const DeliveryAttemptView = Strict(
  {
    attempt: Count('Its number, from 1.'),
    at: Time('When it began.'),
    duration_ms: Count('How long it took, in milliseconds.'),
    status: Nullable(Count('HTTP status of the answer; null when there was none.')),
    error: Nullable(Type.String({ description: 'Why there was none, or why it did not count.' })),
  },
  { title: 'DeliveryAttempt' },
);

/** Tries that one delivery shows at most: the newest ones. */
export const shownAttempts = 50;

/** One event on its way to one receiver. */
export const DeliveryView = Strict(
  {
    id: DeliveryIdParameter,
    event_id: Type.String({ description: 'The event.' }),
    type: Type.String({ description: 'Type of the event.' }),
    payment_id: Nullable(PaymentIdParameter),
    sequence: Count('Sequence of the event.'),
    url: Type.String({ description: 'The receiver.' }),
    webhook_id: Nullable(
      Type.String({
        description:
          'The endpoint that it is for, also when that was deleted; null for the webhook_url of the payment or the merchant.',
      }),
    ),
    state: OneOf(deliveryStates, {
      description:
        '`dead`: all tries failed. `disabled`: the receiver answered 410, or its endpoint was disabled or deleted. Both can be ' +
        'delivered again, as long as the endpoint is there and enabled.',
    }),
    attempts: Type.Array(DeliveryAttemptView, {
      maxItems: shownAttempts,
      description: `Its tries that have ended, oldest first; the newest ${shownAttempts} at most.`,
    }),
    next_attempt_at: Nullable(
      Time(
        'When it is tried next; while a try is under way, when it is taken for lost. Null when it has ended.',
      ),
    ),
    created_at: Time('When the event happened.'),
    ended_at: Nullable(Time('When it was delivered or given up.')),
  },
  { title: 'Delivery' },
);
export type DeliveryJson = Static<typeof DeliveryView>;

/** Query of the list of deliveries. */
export const DeliveryListQuery = Strict({
  ...pageParameters,
  state: Type.Optional(OneOf(deliveryStates, { description: 'Only deliveries of this state.' })),
  payment_id: Type.Optional(PaymentIdParameter),
});

/** A merchant's deliveries, newest first. */
export const DeliveryList = Strict(pageOf(DeliveryView), { title: 'DeliveryList' });
export type DeliveryListJson = Static<typeof DeliveryList>;

/** Parameters of a rotation. */
export const SecretRotationQuery = Strict({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 24,
      description:
        'Hours for which the secret of now stays valid: 24 unless given. 0 ends it, and all before it, at once: for one that ' +
        'has leaked.',
    }),
  ),
});

/** A new webhook secret, shown this once. */
export const RotatedSecret = Strict(
  {
    secret: Type.String({ description: 'The new secret. It is not shown again.' }),
    previous_valid_until: Time('Until then the one before signs as well.'),
  },
  { title: 'RotatedSecret' },
);
export type RotatedSecretJson = Static<typeof RotatedSecret>;
