/** Example bodies for the OpenAPI document: deliveries and secrets. */

import type { DeliveryJson, DeliveryListJson, RotatedSecretJson } from '@coinfront/api/webhooks.ts';

const delivery: DeliveryJson = {
  id: 'dlv_0T5Z8Q2M7XK4R9WB6C3N',
  event_id: 'evt_7N4W1K8Q5RZ2M9XB6T3C',
  type: 'payment.paid',
  payment_id: 'VP-7K3M9QX2C4TB',
  sequence: 4,
  url: 'https://shop.example/webhooks/coin',
  webhook_id: null,
  state: 'delivered',
  attempts: [
    {
      attempt: 1,
      at: '2026-03-01T12:10:00.120Z',
      duration_ms: 5_003,
      status: null,
      error: 'No connection could be made in time.',
    },
    { attempt: 2, at: '2026-03-01T12:10:10.402Z', duration_ms: 84, status: 204, error: null },
  ],
  next_attempt_at: null,
  created_at: '2026-03-01T12:10:00.101Z',
  ended_at: '2026-03-01T12:10:10.486Z',
};

const redelivered: DeliveryJson = {
  ...delivery,
  state: 'pending',
  next_attempt_at: '2026-03-02T08:00:00.000Z',
  ended_at: null,
};

/** Examples of the routes about webhooks. */
export const webhookExamples = {
  delivery,
  redelivered,
  deliveryList: { items: [delivery], next_cursor: null } satisfies DeliveryListJson,
  rotated: {
    // Of the bytes 0 to 31: nobody's.
    secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    previous_valid_until: '2026-03-02T12:00:00.000Z',
  } satisfies RotatedSecretJson,
};
