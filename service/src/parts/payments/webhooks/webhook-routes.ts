import { pageLimits } from '@coinfront/api/paging.ts';
import {
  DeliveryList,
  DeliveryListQuery,
  DeliveryParams,
  DeliveryView,
  RotatedSecret,
  SecretRotationQuery,
} from '@coinfront/api/webhooks.ts';
import type { FastifyInstance } from 'fastify';
import { decodeTimedCursor, encodeTimedCursor } from '../../../http/cursor.ts';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import { holdMerchant } from '../merchants/merchant-store.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import { writeTime } from '../write-time.ts';
import { webhookExamples } from './examples-webhooks.ts';
import { findDelivery, listDeliveries } from './list-deliveries.ts';
import { deliveryNotFound, redeliver } from './redeliver.ts';
import { type RotatedWebhookSecret, rotateWebhookSecret } from './webhook-secret-store.ts';

const tag = 'Webhooks';
const HOUR_MS = 3_600_000;

/** `/merchant/deliveries` and `/merchant/webhook-secret`. */
export function registerWebhookRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  registerDeliveries(app, context);
  registerRotation(app, context);
}

function registerDeliveries(app: FastifyInstance, context: PaymentRouteContext): void {
  const { precious } = context;

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/deliveries',
    query: DeliveryListQuery,
    response: DeliveryList,
    cost: 2,
    operation: {
      id: 'listDeliveries',
      tag,
      summary: 'Events on their way to receivers, newest first',
      description: 'Each with its tries. Ask for `state=dead` to find what never arrived.',
      errors: ['index_unavailable'],
      parameterExamples: { state: 'delivered' },
      example: webhookExamples.deliveryList,
    },
    async call({ merchant, query: { limit = pageLimits.default, cursor, state, payment_id: paymentId } }) {
      const subject = `${merchant.id} ${state ?? ''} ${paymentId ?? ''}`;
      const below = decodeTimedCursor('deliveries', subject, cursor);
      const filter = { state, paymentId };
      const { items, next } = await listDeliveries(paymentQuery(precious), merchant.id, filter, below, limit);
      return { items, next_cursor: next ? encodeTimedCursor('deliveries', subject, next) : null };
    },
  });

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/deliveries/:delivery_id',
    params: DeliveryParams,
    response: DeliveryView,
    operation: {
      id: 'getDelivery',
      tag,
      summary: 'One delivery with its tries',
      description: 'What was sent when, and what the receiver answered.',
      errors: ['delivery_not_found', 'index_unavailable'],
      parameterExamples: { delivery_id: webhookExamples.delivery.id },
      example: webhookExamples.delivery,
    },
    call: ({ merchant, params }) => getDelivery(context, merchant.id, params.delivery_id),
  });

  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/merchant/deliveries/:delivery_id/redeliver',
    params: DeliveryParams,
    response: DeliveryView,
    cost: 5,
    operation: {
      id: 'redeliver',
      tag,
      summary: 'Deliver an event again',
      description:
        'What has ended - delivered, dead or disabled - is sent again at once, the same bytes, with a schedule of its ' +
        'own. A receiver that was disabled by a 410 gets events again from then on.',
      errors: ['delivery_not_found', 'delivery_pending', 'webhook_disabled', 'index_unavailable'],
      parameterExamples: { delivery_id: webhookExamples.delivery.id },
      example: webhookExamples.redelivered,
    },
    async call({ merchant, params }) {
      await redeliver(context, merchant.id, params.delivery_id);
      return await getDelivery(context, merchant.id, params.delivery_id);
    },
  });
}

function registerRotation(app: FastifyInstance, context: PaymentRouteContext): void {
  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/merchant/webhook-secret/rotate',
    query: SecretRotationQuery,
    response: RotatedSecret,
    cost: 10,
    operation: {
      id: 'rotateWebhookSecret',
      tag,
      summary: 'Replace the webhook secret',
      description:
        'Shows a new secret, once. For 24 hours both are valid: `webhook-signature` carries a signature of each, and ' +
        '`X-COIN-Pay-Signature` is still made with the old one, so receivers that do not know the new one yet go on. ' +
        'Let receivers accept both, then drop the old one. Rotating again meanwhile takes nothing from the old one.',
      errors: ['index_unavailable'],
      parameterExamples: { overlap_hours: 24 },
      example: webhookExamples.rotated,
    },
    async call({ merchant, query: { overlap_hours: hours } }) {
      const overlapMs = hours === undefined ? undefined : hours * HOUR_MS;
      const rotated = await context.precious.transaction<PaymentTables, RotatedWebhookSecret>(async (trx) => {
        await holdMerchant(trx, merchant.id);
        return await rotateWebhookSecret(trx, merchant.id, context.now(), overlapMs);
      });
      return {
        secret: rotated.secret,
        previous_valid_until: writeTime(rotated.previousValidUntilMs),
      };
    },
  });
}

/** @throws AppError `delivery_not_found` */
async function getDelivery({ precious }: PaymentRouteContext, merchantId: string, id: string) {
  const found = await findDelivery(paymentQuery(precious), merchantId, id);
  if (found === undefined) throw deliveryNotFound(id);
  return found;
}
