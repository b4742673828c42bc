/** Events and their deliveries, written in the transaction whose change they tell: the outbox. */

import type {
  PaymentEventJson,
  PaymentEventType,
  PoolEventJson,
  PoolEventType,
} from '@coinfront/api/webhooks.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import { type PaymentState, serialisePayment } from '../requests/serialise-payment.ts';
import type { MerchantTable } from '../schema/payment-tables.ts';
import { writeTime } from '../write-time.ts';
import { laneOf } from './delivery-rules.ts';

type Rules = Pick<PaymentContext, 'profile' | 'publicUrl'>;

/** Tells an event of a payment: see {@link describePaymentEvent}. */
export async function recordPaymentEvent(
  trx: PaymentQuery,
  context: Rules,
  type: PaymentEventType,
  state: PaymentState,
  merchantUrl: string | null,
  nowMs: number,
): Promise<void> {
  await insertEvents(trx, [describePaymentEvent(context, type, state, merchantUrl, nowMs)]);
}

/**
 * An event of a payment, whose row has the event's sequence already. The body is written once; every delivery sends
 * these bytes.
 *
 * @param merchantUrl where events go when the payment has no address of its own; null when nowhere
 */
export function describePaymentEvent(
  context: Rules,
  type: PaymentEventType,
  state: PaymentState,
  merchantUrl: string | null,
  nowMs: number,
): NewEvent {
  const { payment, tip } = state;
  const id = createId('evt');
  const body: PaymentEventJson = {
    id,
    type,
    created_at: writeTime(nowMs),
    sequence: payment.sequence,
    data: { payment: serialisePayment(state, context), tip: tip ?? null },
  };
  return {
    id,
    merchantId: payment.merchant_id,
    paymentId: payment.id,
    type,
    sequence: payment.sequence,
    body: JSON.stringify(body),
    url: payment.webhook_url ?? merchantUrl,
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

/** An event that is not stored yet. */
export type NewEvent = {
  id: string;
  merchantId: string;
  paymentId: string | null;
  type: string;
  sequence: number;
  body: string;
  url: string | null;
  nowMs: number;
};

/** Stores events, and what is to be delivered of them. */
export async function insertEvents(trx: PaymentQuery, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
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
  const sent = events.flatMap((event) => (event.url === null ? [] : [{ ...event, url: event.url }]));
  if (sent.length === 0) return;
  const disabled = await findDisabled(trx, sent);
  await trx
    .insertInto('delivery')
    .values(
      sent.map(({ id, merchantId, url, nowMs }) => {
        const isDisabled = disabled.has(`${merchantId} ${url}`);
        return {
          id: createId('dlv'),
          event_id: id,
          merchant_id: merchantId,
          url,
          lane: laneOf(merchantId, url),
          state: isDisabled ? ('disabled' as const) : ('pending' as const),
          attempts: 0,
          attempts_before: 0,
          next_at: nowMs,
          last_status: null,
          last_error: null,
          created_at: nowMs,
          ended_at: isDisabled ? nowMs : null,
        };
      }),
    )
    .execute();
}

/** Merchants and URLs, with a space between, to which nothing is sent any more. */
async function findDisabled(
  trx: PaymentQuery,
  events: readonly { merchantId: string; url: string }[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('disabled_receiver')
    .select(['merchant_id', 'url'])
    .where('merchant_id', 'in', [...new Set(events.map(({ merchantId }) => merchantId))])
    .where('url', 'in', [...new Set(events.map(({ url }) => url))])
    .execute();
  return new Set(rows.map(({ merchant_id, url }) => `${merchant_id} ${url}`));
}
