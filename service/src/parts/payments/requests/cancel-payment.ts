/** Closing a payment by its merchant's word, whatever has been seen of it. */

import { AppError } from '../../../errors.ts';
import { listAllOutputs } from '../chain/output-store.ts';
import { describeAfter, describeEvents, markLate } from '../judging/apply-judgement.ts';
import { closePayment, isClosed } from '../judging/payment-rules.ts';
import { summedAt } from '../judging/payment-sums.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentContext } from '../payment-context.ts';
import { retireAddress } from '../pool/pool-store.ts';
import type { PaymentTable, PaymentTables } from '../schema/payment-tables.ts';
import { insertEvents } from '../webhooks/record-event.ts';
import { findJudgedTip, findMerchantState, lockPayment, writeChanged } from './payment-store.ts';
import { paymentNotFound } from './refuse-payment.ts';
import type { MerchantPaymentState } from './serialise-payment.ts';

/**
 * Cancels a payment that is neither settled nor over, and tells it. Money that was there stays in its sums, money that
 * comes from now on is late. Asked twice it changes nothing the second time.
 *
 * @throws AppError `payment_not_found`, `payment_not_cancellable`
 */
export async function cancelPayment(
  context: PaymentContext,
  merchant: Merchant,
  id: string,
): Promise<MerchantPaymentState> {
  const { precious, profile } = context;
  const { engine } = precious;
  const state = await precious.transaction<PaymentTables, MerchantPaymentState>(async (trx) => {
    const payment = await lockPayment(trx, engine, merchant.id, id);
    if (payment === undefined) throw paymentNotFound(id);
    if (!checkCancellable(payment)) return (await findMerchantState(trx, engine, id))!;
    const nowMs = context.now();
    const tip = await findJudgedTip(trx);
    const outputs = (await listAllOutputs(trx, engine, [id])).get(id) ?? [];
    const at = summedAt(profile, tip?.height ?? payment.created_height);
    const judgement = closePayment(payment, outputs, 'cancelled', at);
    const { after, ...applied } = describeAfter(payment, judgement, nowMs);
    const cancelled = { ...applied, after: { ...after, cancelled_at: nowMs } };
    await writeChanged(trx, cancelled.after);
    const shown = { outputs: await markLate(trx, outputs, judgement), tip };
    await insertEvents(trx, describeEvents(context, payment, cancelled, shown, merchant.webhook_url, nowMs));
    await retireAddress(trx, id);
    return (await findMerchantState(trx, engine, id))!;
  });
  context.onDue();
  context.onEvent();
  return state;
}

/** @returns false when it is cancelled already */
function checkCancellable(payment: PaymentTable): boolean {
  const { status } = payment;
  const isOver = isClosed(payment);
  if (isOver && status === 'cancelled') return false;
  if (!isOver && status !== 'paid' && status !== 'overpaid') return true;
  throw new AppError('payment_not_cancellable', `The payment cannot be cancelled: it is ${status}.`);
}
