/** The merchant names the transaction that pays a refund. It is looked up, and watched from then on. */

import { type LeftoverJson, refundLimits } from '@coinfront/api/refunds.ts';
import { AppError } from '../../../errors.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';
import { type Change, changeLeftover } from './change-leftover.ts';
import { findStanding, type Looks, withLooks } from './look-at-named.ts';
import { readMoment } from './read-moment.ts';
import { refundNotFound } from './refund-errors.ts';
import { isForgotten, judgeRefund, namesOf, nameTx } from './refund-rules.ts';
import { findRefund, writeRefund } from './refund-store.ts';

/**
 * Notes the transaction of a refund. One that nobody has seen yet is kept as unseen; one that is there has to pay the refund. Another
 * one takes the place of the first unless that is in mempool or chain: where the fee was raised, the first has left the mempool.
 * Asked twice it changes nothing, except that one which was given up is watched again.
 *
 * @throws AppError `payment_not_found`, `refund_not_found`, `refund_closed`, `refund_transaction_stands`,
 *   `refund_transaction_refused`, `refund_output_missing`, `refunds_exhausted`, `not_ready`
 */
export async function sendRefund(
  context: PaymentRouteContext,
  merchant: Merchant,
  paymentId: string,
  refundId: string,
  txid: string,
): Promise<LeftoverJson> {
  return await withLooks(context, { paymentId, refundId, txid }, (looks) =>
    changeLeftover(context, merchant, paymentId, async (trx, { payment }, nowMs) => {
      const refund = await findRefund(trx, paymentId, refundId);
      if (refund === undefined) throw refundNotFound(refundId);
      if (refund.state === 'cancelled') throw closed(refund);
      const isKnown = refund.txid === txid && refund.problem === null;
      if (isKnown && !isForgotten(refund, nowMs)) return undefined;
      if (refund.state === 'confirmed') throw closed(refund);
      const standing = await findStanding(trx, context, payment, refund, looks, nowMs, txid);
      if (standing !== undefined) throw stands(standing);
      return await noteTx(trx, context, payment, refund, txid, { looks, nowMs });
    }),
  );
}

async function noteTx(
  trx: PaymentQuery,
  context: PaymentRouteContext,
  payment: PaymentTable,
  refund: RefundTable,
  txid: string,
  { looks, nowMs }: { looks: Looks; nowMs: number },
): Promise<Change> {
  const named: RefundTable = { ...nameTx(refund, txid), sent_at: nowMs };
  if (namesOf(named).length > refundLimits.transactions) {
    const detail = `The refund has had ${refundLimits.transactions} transactions; no more are kept. Cancel it, and make another.`;
    throw new AppError('refunds_exhausted', detail);
  }
  const moment = await readMoment(trx, context, named, payment, { tipHeight: looks.tipHeight, nowMs });
  const judged = judgeRefund(named, looks.find(txid), moment);
  if (judged.problem !== null) throw refuse(judged.problem);
  await writeRefund(trx, judged);
  const news = [{ type: 'refund.sent', refundId: refund.id } as const];
  return judged.state === 'confirmed'
    ? { news: [...news, { type: 'refund.confirmed', refundId: refund.id }] }
    : { news };
}

function closed({ state }: RefundTable): AppError {
  return new AppError('refund_closed', `The refund is ${state}: no other transaction can pay it.`);
}

function stands(txid: string): AppError {
  const detail =
    `The transaction ${txid}, named before, is in the mempool or in a block, and pays the refund; another one would pay it twice. ` +
    'To raise its fee, broadcast the one that replaces it, and name that as soon as it has.';
  return new AppError('refund_transaction_stands', detail);
}

function refuse(problem: NonNullable<RefundTable['problem']>): AppError {
  if (problem === 'not_a_refund') {
    const detail =
      'The transaction is in a block that was there when the payment was made, or it paid the payment. Nothing was changed.';
    return new AppError('refund_transaction_refused', detail);
  }
  const detail =
    'The transaction has no output of at least the amount to the address of the refund, or what it has serves other refunds. ' +
    'Nothing was changed.';
  return new AppError('refund_output_missing', detail);
}
