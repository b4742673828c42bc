/** Cancelling a payment that nobody has paid anything to. */

import { AppError } from '../../errors.ts';
import type { Merchant } from './merchant-store.ts';
import type { PaymentContext } from './payment-context.ts';
import { findPaymentState, lockPayment } from './payment-store.ts';
import type { PaymentTable, PaymentTables } from './payment-tables.ts';
import { retireAddress } from './pool-store.ts';
import { recordPaymentEvent } from './record-event.ts';
import { paymentNotFound } from './refuse-payment.ts';
import type { PaymentState } from './serialise-payment.ts';

/**
 * Cancels an open payment and tells it. Money that still comes is late.
 *
 * @throws AppError `payment_not_found`, `payment_not_cancellable`
 */
export async function cancelPayment(
  context: PaymentContext,
  merchant: Merchant,
  id: string,
): Promise<PaymentState> {
  const { precious } = context;
  const state = await precious.transaction<PaymentTables, PaymentState>(async (trx) => {
    const payment = await lockPayment(trx, precious.engine, merchant.id, id);
    if (payment === undefined) throw paymentNotFound(id);
    checkCancellable(payment);
    const nowMs = context.now();
    await trx
      .updateTable('payment')
      .set({
        status: 'cancelled',
        cancelled_at: nowMs,
        // One that was accepted, and then lost what had come, is over now like any other.
        accepted_at: null,
        updated_at: nowMs,
        sequence: payment.sequence + 1,
        is_due: 1,
      })
      .where('id', '=', id)
      .execute();
    await retireAddress(trx, id);
    const changed = (await findPaymentState(trx, precious.engine, id))!;
    await recordPaymentEvent(trx, context, 'payment.cancelled', changed, merchant.webhook_url, nowMs);
    return changed;
  });
  context.onDue();
  context.onEvent();
  return state;
}

function checkCancellable({ status, seen }: PaymentTable): void {
  if (status === 'open' && seen === '0') return;
  const why =
    status === 'underpaid' || status === 'detected' || status === 'confirming'
      ? 'money was seen'
      : `it is ${status}`;
  throw new AppError('payment_not_cancellable', `The payment cannot be cancelled: ${why}.`);
}
