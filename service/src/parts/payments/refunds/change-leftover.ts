/** The frame of every change by a merchant of what is left over: the payment's row is held, the change made, and told. */

import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { lockPayment } from '../requests/payment-store.ts';
import { paymentNotFound } from '../requests/refuse-payment.ts';
import type { PaymentTable, PaymentTables } from '../schema/payment-tables.ts';
import { readLeftover } from './read-leftover.ts';
import { type RefundNews, recordRefundNews } from './record-refund-event.ts';
import { type Leftover, serialiseLeftover } from './serialise-leftover.ts';

/** What a change did: columns of the payment, and what is told; undefined when it did nothing. */
export type Change =
  | {
      columns?: Partial<Pick<PaymentTable, 'refunded' | 'resolved' | 'refund_address' | 'refund_address_at'>>;
      news: readonly RefundNews[];
    }
  | undefined;

/**
 * Changes what is left over of a merchant's payment. Whatever counts on the sums is decided while the row is held: neither the
 * judge nor another request changes them meanwhile.
 *
 * @throws AppError `payment_not_found`, and what `work` throws
 */
export async function changeLeftover(
  context: PaymentContext,
  merchant: Pick<Merchant, 'id'>,
  paymentId: string,
  work: (trx: PaymentQuery, before: Leftover, nowMs: number) => Promise<Change>,
): Promise<LeftoverJson> {
  const { precious, profile, onEvent } = context;
  const leftover = await precious.transaction<PaymentTables, Leftover>((trx) =>
    changeWithin(trx, context, merchant, paymentId, work),
  );
  onEvent();
  return serialiseLeftover(leftover, profile);
}

/** The same inside a transaction. */
export async function changeWithin(
  trx: PaymentQuery,
  context: PaymentContext,
  merchant: Pick<Merchant, 'id'>,
  paymentId: string,
  work: (trx: PaymentQuery, before: Leftover, nowMs: number) => Promise<Change>,
): Promise<Leftover> {
  const payment = await lockPayment(trx, context.precious.engine, merchant.id, paymentId);
  if (payment === undefined) throw paymentNotFound(paymentId);
  const before = await readLeftover(trx, context, payment);
  const nowMs = context.now();
  const change = await work(trx, before, nowMs);
  if (change === undefined) return before;
  const { columns = {}, news } = change;
  if (Object.keys(columns).length > 0)
    await trx.updateTable('payment').set(columns).where('id', '=', paymentId).execute();
  return await recordRefundNews(trx, context, payment, news, nowMs);
}
