/** Events and their deliveries, written in the transaction whose change they tell: the outbox. */

import type {
  PaymentEventJson,
  PaymentEventType,
  PoolEventJson,
  PoolEventType,
} from '@coinfront/api/webhooks.ts';
import { laneOf } from './delivery-rules.ts';
import type { PaymentContext, PaymentQuery } from './payment-context.ts';
import { createId } from './payment-ids.ts';
import type { MerchantTable } from './payment-tables.ts';
import { type PaymentState, serialisePayment, writeTime } from './serialise-payment.ts';

/**
 * Tells an event of a payment, whose row has the event's sequence already. The body is written once; every delivery
 * sends these bytes.
 *
 * @param merchantUrl where events go when the payment has no address of its own; null when nowhere
 */
export async function recordPaymentEvent(
  trx: PaymentQuery,
  context: Pick<PaymentContext, 'profile' | 'publicUrl'>,
  type: PaymentEventType,
  state: PaymentState,
  merchantUrl: string | null,
  nowMs: number,
): Promise<void> {
  const { payment, tip } = state;
  const id = createId('evt');
  const body: PaymentEventJson = {
    id,
    type,
    created_at: writeTime(nowMs),
    sequence: payment.sequence,
    data: { payment: serialisePayment(state, context), tip: tip ?? null },
  };
  await insertEvent(trx, {
    id,
    merchantId: payment.merchant_id,
    paymentId: payment.id,
    type,
    sequence: payment.sequence,
    body: JSON.stringify(body),
    url: payment.webhook_url ?? merchantUrl,
    nowMs,
  });
}

/** Tells an event of a merchant's pool, and counts it in the merchant's row. */
export async function recordPoolEvent(
  trx: PaymentQuery,
  type: PoolEventType,
  merchant: Pick<MerchantTable, 'id' | 'webhook_url' | 'pool_low_threshold'>,
  ready: number,
  nowMs: number,
): Promise<void> {
  const { sequence } = await trx
    .updateTable('merchant')
    .set((row) => ({ sequence: row('sequence', '+', 1) }))
    .where('id', '=', merchant.id)
    .returning('sequence')
    .executeTakeFirstOrThrow();
  const id = createId('evt');
  const body: PoolEventJson = {
    id,
    type,
    created_at: writeTime(nowMs),
    sequence,
    data: { ready, threshold: merchant.pool_low_threshold },
  };
  await insertEvent(trx, {
    id,
    merchantId: merchant.id,
    paymentId: null,
    type,
    sequence,
    body: JSON.stringify(body),
    url: merchant.webhook_url,
    nowMs,
  });
}

type NewEvent = {
  id: string;
  merchantId: string;
  paymentId: string | null;
  type: string;
  sequence: number;
  body: string;
  url: string | null;
  nowMs: number;
};

async function insertEvent(trx: PaymentQuery, event: NewEvent): Promise<void> {
  const { id, merchantId, paymentId, type, sequence, body, url, nowMs } = event;
  await trx
    .insertInto('event')
    .values({ id, merchant_id: merchantId, payment_id: paymentId, type, sequence, body, created_at: nowMs })
    .execute();
  if (url === null) return;
  const disabled = await trx
    .selectFrom('disabled_receiver')
    .select('url')
    .where('merchant_id', '=', merchantId)
    .where('url', '=', url)
    .executeTakeFirst();
  await trx
    .insertInto('delivery')
    .values({
      id: createId('dlv'),
      event_id: id,
      merchant_id: merchantId,
      url,
      lane: laneOf(merchantId, url),
      state: disabled ? 'disabled' : 'pending',
      attempts: 0,
      attempts_before: 0,
      next_at: nowMs,
      last_status: null,
      last_error: null,
      created_at: nowMs,
      ended_at: disabled ? nowMs : null,
    })
    .execute();
}
