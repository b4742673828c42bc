/** Example bodies for the OpenAPI document: the feed of events. */

import type { EventFeedJson } from '@coinfront/api/merchant-events.ts';
import type { PaymentEventJson } from '@coinfront/api/webhooks.ts';
import { paymentExamples } from '../requests/examples-payments.ts';
import { webhookExamples } from './examples-webhooks.ts';

const { payment } = paymentExamples;
const { delivery } = webhookExamples;

const body: PaymentEventJson = {
  id: delivery.event_id,
  type: 'payment.confirming',
  created_at: payment.updated_at,
  sequence: payment.sequence,
  data: { payment, order_id: null, tip: payment.as_of },
};

const feed: EventFeedJson = {
  items: [
    {
      ...{ id: body.id, type: body.type, payment_id: payment.id, sequence: body.sequence },
      created_at: body.created_at,
      body,
      deliveries: [
        {
          ...{ id: delivery.id, url: delivery.url, webhook_id: null, state: 'delivered', tries: 2 },
          ...{ last_status: 204, last_error: null, next_attempt_at: null, ended_at: delivery.ended_at },
        },
      ],
    },
  ],
  next_cursor: 'NDFB2WFG',
  has_more: false,
};

/** Examples of the feed. */
export const eventExamples = { feed };
