import { pageLimits } from '@coinfront/api/paging.ts';
import { PaymentList, PaymentListQuery } from '@coinfront/api/payment-lists.ts';
import { MerchantPaymentView, PaymentParams } from '@coinfront/api/payments.ts';
import type { FastifyInstance } from 'fastify';
import { decodeTimedCursor, encodeTimedCursor } from '../../../http/cursor.ts';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { paymentExamples } from './examples-payments.ts';
import { listPayments } from './list-payments.ts';
import { describeList, readFilter } from './payment-filter.ts';
import {
  findJudgedTip,
  listExcludedOutputs,
  listShownOutputs,
  paymentQuery,
  readPaymentState,
} from './payment-store.ts';
import { paymentNotFound } from './refuse-payment.ts';
import { serialiseMerchantPayment } from './serialise-payment.ts';

/** Payments as their merchant reads them: `GET /payments` and `GET /merchant/payments/{payment_id}`. */
export function registerMerchantReads(app: FastifyInstance, context: PaymentRouteContext): void {
  const { precious, profile } = context;

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/payments',
    query: PaymentListQuery,
    response: PaymentList,
    cost: 2,
    operation: {
      id: 'listPayments',
      tag: 'Payments',
      summary: "The merchant's payments, newest first",
      description:
        'All of them, or those that fit everything asked for: statuses, an order, the time they were made in, and what `q` names: an ' +
        'identifier, an address, a txid, an `order_id`, or else words of the description in the case of ASCII ignored. A request ' +
        'looks at 5,000 payments at most, so a rare status or word may give short pages; follow `next_cursor` until it is null.',
      errors: ['index_unavailable'],
      parameterExamples: {
        status: 'paid,overpaid',
        order_id: '10023',
        q: 'Order 10023',
        created_from: '2026-03-01',
        created_to: '2026-03-31',
      },
      example: { items: [paymentExamples.merchantPayment], next_cursor: null },
    },
    async call({ merchant, query: { limit = pageLimits.default, cursor, ...narrowed } }) {
      const query = paymentQuery(precious);
      const filter = await readFilter(query, merchant.id, narrowed, profile);
      const subject = describeList(merchant.id, filter);
      const beyond = decodeTimedCursor('payments', subject, cursor);
      const page = await listPayments(query, precious.engine, merchant.id, filter, beyond, limit);
      const ids = page.payments.map(({ id }) => id);
      const outputs = await listShownOutputs(query, ids);
      const excluded = await listExcludedOutputs(query, ids);
      const tip = await findJudgedTip(query);
      return {
        items: page.payments.map((payment) =>
          serialiseMerchantPayment(
            { payment, outputs: outputs.get(payment.id)!, excluded: excluded.get(payment.id)!, tip },
            context,
          ),
        ),
        next_cursor: page.next === undefined ? null : encodeTimedCursor('payments', subject, page.next),
      };
    },
  });

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/payments/:payment_id',
    params: PaymentParams,
    response: MerchantPaymentView,
    cost: 2,
    operation: {
      id: 'getMerchantPayment',
      tag: 'Payments',
      summary: 'A payment with what only its merchant may see',
      description:
        'As `GET /payments/{payment_id}`, with `order_id`, `metadata` and the receiver of its events.',
      errors: ['payment_not_found', 'index_unavailable'],
      parameterExamples: { payment_id: paymentExamples.payment.id },
      example: paymentExamples.merchantPayment,
    },
    async call({ merchant, params: { payment_id: id } }) {
      const state = await readPaymentState(precious, id);
      if (state?.payment.merchant_id !== merchant.id) throw paymentNotFound(id);
      const excluded = (await listExcludedOutputs(paymentQuery(precious), [id])).get(id)!;
      return serialiseMerchantPayment({ ...state, excluded }, context);
    },
  });
}
