/** Taking back a refund that was not sent, or whose transaction is gone. */

import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import { AppError } from '../../../errors.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentContext } from '../payment-context.ts';
import { changeLeftover } from './change-leftover.ts';
import { capResolved } from './leftover-rules.ts';
import { refundNotFound } from './refund-errors.ts';
import { findRefund, writeRefund } from './refund-store.ts';

/**
 * Cancels a refund; its amount is open again. Asked twice it changes nothing.
 *
 * @throws AppError `payment_not_found`, `refund_not_found`, `refund_not_cancellable`
 */
export async function cancelRefund(
  context: PaymentContext,
  merchant: Merchant,
  paymentId: string,
  refundId: string,
): Promise<LeftoverJson> {
  return await changeLeftover(context, merchant, paymentId, async (trx, { payment }, nowMs) => {
    const refund = await findRefund(trx, paymentId, refundId);
    if (refund === undefined) throw refundNotFound(refundId);
    const { state, amount, seen } = refund;
    if (state === 'cancelled') return undefined;
    if (state === 'confirmed' || (state === 'sent' && seen === 1)) {
      const detail = `The refund cannot be cancelled: its transaction is ${state === 'sent' ? 'in the mempool or in a block' : 'confirmed'}.`;
      throw new AppError('refund_not_cancellable', detail);
    }
    const refunded = String(BigInt(payment.refunded) - BigInt(amount));
    await writeRefund(trx, { ...refund, state: 'cancelled', cancelled_at: nowMs });
    return {
      columns: { refunded, resolved: capResolved({ ...payment, refunded }) },
      news: [{ type: 'refund.cancelled', refundId }],
    };
  });
}
