/** Taking back a refund that was not sent, or whose transactions are gone. */

import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import { AppError } from '../../../errors.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { changeLeftover } from './change-leftover.ts';
import { capResolved } from './leftover-rules.ts';
import { findStanding, type Looks, withLooks } from './look-at-named.ts';
import { refundNotFound } from './refund-errors.ts';
import { findRefund, writeRefund } from './refund-store.ts';

/**
 * Cancels a refund; its amount is open again. Asked twice it changes nothing.
 *
 * @throws AppError `payment_not_found`, `refund_not_found`, `refund_not_cancellable`, `not_ready`
 */
export async function cancelRefund(
  context: PaymentRouteContext,
  merchant: Merchant,
  paymentId: string,
  refundId: string,
): Promise<LeftoverJson> {
  return await withLooks(context, { paymentId, refundId }, (looks) =>
    cancelLookedAt(context, merchant, paymentId, refundId, looks),
  );
}

async function cancelLookedAt(
  context: PaymentRouteContext,
  merchant: Merchant,
  paymentId: string,
  refundId: string,
  looks: Looks,
): Promise<LeftoverJson> {
  return await changeLeftover(context, merchant, paymentId, async (trx, { payment }, nowMs) => {
    const refund = await findRefund(trx, paymentId, refundId);
    if (refund === undefined) throw refundNotFound(refundId);
    const { state, amount, seen, txid } = refund;
    if (state === 'cancelled') return undefined;
    if (state === 'confirmed') throw notCancellable(txid!, 'confirmed');
    const standing =
      state === 'sent' && seen === 1
        ? txid!
        : await findStanding(trx, context, payment, refund, looks, nowMs);
    if (standing !== undefined) throw notCancellable(standing, 'in the mempool or in a block');
    const refunded = String(BigInt(payment.refunded) - BigInt(amount));
    await writeRefund(trx, { ...refund, state: 'cancelled', cancelled_at: nowMs });
    return {
      columns: { refunded, resolved: capResolved({ ...payment, refunded }) },
      news: [{ type: 'refund.cancelled', refundId }],
    };
  });
}

function notCancellable(txid: string, where: string): AppError {
  const detail = `The refund cannot be cancelled: its transaction ${txid} is ${where}.`;
  return new AppError('refund_not_cancellable', detail);
}
