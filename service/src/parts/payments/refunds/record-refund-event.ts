/** Events of refunds: in the payment's own sequence, each with all that is left over of the payment then. */

import type { RefundEventJson, RefundEventType } from '@coinfront/api/webhooks.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { createId } from '../payment-ids.ts';
import { findPaymentState } from '../requests/payment-store.ts';
import { serialisePayment } from '../requests/serialise-payment.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import { insertEvents } from '../webhooks/record-event.ts';
import { writeTime } from '../write-time.ts';
import { readLeftover } from './read-leftover.ts';
import { type Leftover, serialiseLeftover } from './serialise-leftover.ts';

/** What happened to money that goes back; `refundId` is null of an address. */
export type RefundNews = { type: RefundEventType; refundId: string | null };

type Context = Pick<PaymentContext, 'precious' | 'profile' | 'publicUrl'>;

/**
 * Tells what happened, after everything else of the change is written: the payment's row gets the sequence of each event, and a
 * later time, so that its answers have another ETag.
 *
 * @param payment its row, held since before the change
 * @returns what is left over after the change
 */
export async function recordRefundNews(
  trx: PaymentQuery,
  context: Context,
  { id, merchant_id, updated_at }: Pick<PaymentTable, 'id' | 'merchant_id' | 'updated_at'>,
  news: readonly RefundNews[],
  nowMs: number,
): Promise<Leftover> {
  const { sequence } = await trx
    .updateTable('payment')
    .set((row) => ({
      sequence: row('sequence', '+', news.length),
      updated_at: Math.max(nowMs, updated_at + 1),
    }))
    .where('id', '=', id)
    .returning('sequence')
    .executeTakeFirstOrThrow();
  const state = (await findPaymentState(trx, context.precious.engine, id))!;
  const leftover = await readLeftover(trx, context, state.payment);
  if (news.length === 0) return leftover;
  const merchant = await trx
    .selectFrom('merchant')
    .select('webhook_url')
    .where('id', '=', merchant_id)
    .executeTakeFirstOrThrow();
  const events = news.map(({ type, refundId }, i) => {
    const eventId = createId('evt');
    const told = { ...state, payment: { ...state.payment, sequence: sequence - news.length + i + 1 } };
    const body: RefundEventJson = {
      id: eventId,
      type,
      created_at: writeTime(nowMs),
      sequence: told.payment.sequence,
      data: {
        payment: serialisePayment(told, context),
        leftover: serialiseLeftover(leftover, context.profile),
        refund_id: refundId,
        tip: state.tip ?? null,
      },
    };
    return {
      id: eventId,
      merchantId: merchant_id,
      paymentId: id,
      type,
      sequence: told.payment.sequence,
      body: JSON.stringify(body),
      url: state.payment.webhook_url ?? merchant.webhook_url,
      nowMs,
    };
  });
  await insertEvents(trx, events);
  return leftover;
}
