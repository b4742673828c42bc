/** Events and their deliveries, written in the transaction whose change they tell: the outbox. */

import type {
  PaymentEventJson,
  PaymentEventType,
  PoolEventJson,
  PoolEventType,
} from '@coinfront/api/webhooks.ts';
import { type WriteForShop, writeInvoiceEvents } from '../greenfield/invoice-events.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import { type PaymentState, serialisePayment } from '../requests/serialise-payment.ts';
import type { MerchantTable, PaymentTable } from '../schema/payment-tables.ts';
import { writeTime } from '../write-time.ts';
import { findEnabledEndpoints } from './endpoint-store.ts';
import { describeDeliveries, insertDeliveries, putInTurn } from './event-deliveries.ts';

type Rules = Pick<PaymentContext, 'profile' | 'publicUrl'>;

/** Tells an event of a payment: see {@link describePaymentEvent}. */
export async function recordPaymentEvent(
  trx: PaymentQuery,
  context: Rules,
  type: PaymentEventType,
  state: PaymentState,
  merchant: Pick<MerchantTable, 'webhook_url'>,
  nowMs: number,
): Promise<void> {
  const event = describePaymentEvent(context, type, state, merchant.webhook_url, nowMs);
  await insertEvents(trx, [event]);
}

/**
 * An event of a payment, whose row has the event's sequence already. The body is written once; every delivery sends
 * these bytes.
 *
 * @param merchantUrl where events go when the payment has no address of its own; null when nowhere
 * @param before the payment before the change that is told; absent where it was made by it
 */
export function describePaymentEvent(
  context: Rules,
  type: PaymentEventType,
  state: PaymentState,
  merchantUrl: string | null,
  nowMs: number,
  before: PaymentTable = state.payment,
): NewEvent {
  const { payment, tip } = state;
  const id = createId('evt');
  const body: PaymentEventJson = {
    id,
    type,
    created_at: writeTime(nowMs),
    sequence: payment.sequence,
    data: { payment: serialisePayment(state, context), order_id: payment.order_id, tip: tip ?? null },
  };
  return {
    id,
    merchantId: payment.merchant_id,
    paymentId: payment.id,
    type,
    sequence: payment.sequence,
    body: JSON.stringify(body),
    url: payment.webhook_url ?? merchantUrl,
    writeForShop: writeInvoiceEvents(type, state, before, context.profile, nowMs),
    nowMs,
  };
}

/** Tells an event of a merchant's pool, and counts it in the merchant's row. */
export async function recordPoolEvent(
  trx: PaymentQuery,
  type: PoolEventType,
  merchant: Pick<MerchantTable, 'id' | 'webhook_url' | 'pool_low_threshold'>,
  ready: number,
  nowMs: number,
): Promise<void> {
  const sequence = await countEventOfMerchant(trx, merchant.id);
  const id = createId('evt');
  const body: PoolEventJson = {
    id,
    type,
    created_at: writeTime(nowMs),
    sequence,
    data: { ready, threshold: merchant.pool_low_threshold },
  };
  const event = {
    id,
    merchantId: merchant.id,
    paymentId: null,
    type,
    sequence,
    body: JSON.stringify(body),
    url: merchant.webhook_url,
    nowMs,
  };
  await insertEvents(trx, [event]);
}

/** The sequence of a merchant's next event that belongs to no payment. */
export async function countEventOfMerchant(trx: PaymentQuery, merchantId: string): Promise<number> {
  const { sequence } = await trx
    .updateTable('merchant')
    .set((row) => ({ sequence: row('sequence', '+', 1) }))
    .where('id', '=', merchantId)
    .returning('sequence')
    .executeTakeFirstOrThrow();
  return sequence;
}

/** An event that is not stored yet. */
export type NewEvent = {
  id: string;
  merchantId: string;
  paymentId: string | null;
  type: string;
  sequence: number;
  body: string;
  /** Where the payment, or else the merchant, has it sent; null when nowhere. Endpoints get it besides. */
  url: string | null;
  /** Writes it for webhooks of shops; absent where it is nothing to them. */
  writeForShop?: WriteForShop;
  nowMs: number;
};

/** Stores events, and what is to be delivered of them. */
export async function insertEvents(trx: PaymentQuery, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEventRows(trx, events);
  const endpoints = await findEnabledEndpoints(
    trx,
    events.map(({ merchantId }) => merchantId),
  );
  const deliveries = events.flatMap((event) =>
    describeDeliveries(event, endpoints.get(event.merchantId) ?? []),
  );
  await insertDeliveries(trx, putInTurn(deliveries));
}

/** Stores events without any delivery. */
export async function insertEventRows(trx: PaymentQuery, events: readonly NewEvent[]): Promise<void> {
  await trx
    .insertInto('event')
    .values(
      events.map(({ id, merchantId, paymentId, type, sequence, body, nowMs }) => ({
        id,
        merchant_id: merchantId,
        payment_id: paymentId,
        type,
        sequence,
        body,
        created_at: nowMs,
      })),
    )
    .execute();
}
