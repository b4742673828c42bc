/** The merchant names the transaction that pays a refund. It is looked up, and watched from then on. */

import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import { AppError } from '../../../errors.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';
import { type Change, changeLeftover } from './change-leftover.ts';
import { lookAtTx } from './look-at-tx.ts';
import { refundNotFound } from './refund-errors.ts';
import { confirmationsOf, judgeRefund, type RefundMoment, type SeenTx } from './refund-rules.ts';
import { findRefund, listTaken, writeRefund } from './refund-store.ts';

/**
 * Notes the transaction of a refund. One that nobody has seen yet is kept as unseen; one that is there has to pay the refund. Another
 * one takes the place of the first until that is confirmed: its fee may have been raised. Asked twice it changes nothing.
 *
 * @throws AppError `payment_not_found`, `refund_not_found`, `refund_closed`, `refund_output_missing`
 */
export async function sendRefund(
  context: PaymentRouteContext,
  merchant: Merchant,
  paymentId: string,
  refundId: string,
  txid: string,
): Promise<LeftoverJson> {
  const { readChain, precious } = context;
  const looked = await readChain(async (view) => ({
    tx: await lookAtTx(view, txid),
    tipHeight: view.tip?.height ?? 0,
  }));
  return await changeLeftover(context, merchant, paymentId, async (trx, { payment }, nowMs) => {
    const refund = await findRefund(trx, paymentId, refundId);
    if (refund === undefined) throw refundNotFound(refundId);
    if (refund.txid === txid && refund.problem === null && refund.state !== 'cancelled') return undefined;
    if (refund.state === 'confirmed' || refund.state === 'cancelled') {
      throw new AppError('refund_closed', `The refund is ${refund.state}: no other transaction can pay it.`);
    }
    const taken = await listTaken(trx, precious.engine, refund, txid);
    return await nameTx(trx, payment, refund, txid, { ...looked, nowMs, taken });
  });
}

async function nameTx(
  trx: PaymentQuery,
  payment: PaymentTable,
  refund: RefundTable,
  txid: string,
  { tx, ...moment }: { tx: SeenTx | undefined } & Omit<RefundMoment, 'required'>,
): Promise<Change> {
  const named: RefundTable = {
    ...refund,
    ...{ state: 'sent', txid, vout: null, seen: 0, height: null, problem: null, final: 0 },
    ...{ sent_at: moment.nowMs, confirmed_at: null },
  };
  const required = confirmationsOf(payment);
  const judged = judgeRefund(named, tx, { ...moment, required });
  if (judged.problem !== null) {
    const detail =
      'The transaction has no output of at least the amount to the address of the refund, or what it has serves other refunds. ' +
      'Nothing was changed.';
    throw new AppError('refund_output_missing', detail);
  }
  await writeRefund(trx, judged);
  const news = [{ type: 'refund.sent', refundId: refund.id } as const];
  return judged.state === 'confirmed'
    ? { news: [...news, { type: 'refund.confirmed', refundId: refund.id }] }
    : { news };
}
