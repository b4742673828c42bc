import { PaymentParams } from '@coinfront/api/payments.ts';
import {
  LeftoverView,
  RefundParams,
  RefundRequestBody,
  RefundSentBody,
  RefundTransactionBody,
  RefundTransactionView,
} from '@coinfront/api/refunds.ts';
import type { FastifyInstance } from 'fastify';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { IdempotencyHeaders } from '../requests/idempotency.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import { paymentNotFound } from '../requests/refuse-payment.ts';
import { cancelRefund } from './cancel-refund.ts';
import { createRefundMaker } from './create-refund.ts';
import { refundExamples } from './examples-refunds.ts';
import { readLeftover } from './read-leftover.ts';
import { buildRefundTransaction } from './refund-transaction.ts';
import { sendRefund } from './send-refund.ts';
import { serialiseLeftover } from './serialise-leftover.ts';

const { payment_id } = refundExamples.leftover;
const ofPayment = { tag: 'Refunds', parameterExamples: { payment_id } };
const ofRefund = { tag: 'Refunds', parameterExamples: { payment_id, refund_id: refundExamples.refund.id } };

/** `/payments/{payment_id}/refunds` and below. */
export function registerRefundCalls(app: FastifyInstance, context: PaymentRouteContext): void {
  registerReadAndCreate(app, context);
  registerSteps(app, context);
}

function registerReadAndCreate(app: FastifyInstance, context: PaymentRouteContext): void {
  const createRefund = createRefundMaker(context);
  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/payments/:payment_id/refunds',
    params: PaymentParams,
    response: LeftoverView,
    cost: 2,
    operation: {
      ...ofPayment,
      id: 'getLeftover',
      summary: 'What is left over of a payment, and its refunds',
      description: 'Of any payment, also where nothing is left over, or nothing is open any more.',
      errors: ['payment_not_found', 'index_unavailable'],
      example: refundExamples.leftover,
    },
    call: ({ merchant, params }) => getLeftover(context, merchant, params.payment_id),
  });

  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/payments/:payment_id/refunds',
    headers: IdempotencyHeaders,
    params: PaymentParams,
    body: RefundRequestBody,
    response: LeftoverView,
    cost: 2,
    operation: {
      ...ofPayment,
      id: 'createRefund',
      status: 201,
      summary: 'Make a refund',
      description:
        'A record of what goes back and where; it sends nothing. Only money that has the confirmations that the payment asked for can go ' +
        'back. All refunds of a payment that are not cancelled are never more than that. Send an `Idempotency-Key`, so that a ' +
        'request whose answer was lost can be sent again.',
      errors: [
        'payment_not_found',
        'amount_invalid',
        'address_invalid',
        'nothing_to_refund',
        'refund_too_early',
        'refund_too_large',
        'refund_address_missing',
        'refunds_exhausted',
        'output_dust',
        'idempotency_key_reused',
        'idempotency_key_in_use',
        'index_unavailable',
      ],
      parameterExamples: { payment_id, 'Idempotency-Key': 'refund-10023' },
      bodyExample: refundExamples.request,
      example: refundExamples.created,
    },
    async call({ merchant, params, body, request, reply }) {
      const key = request.headers['idempotency-key'] as string | undefined;
      const answer = await createRefund(merchant, params.payment_id, body, key);
      if (answer.isReplay) reply.header('idempotency-replayed', 'true');
      return { writtenJson: answer.body };
    },
  });
}

function registerSteps(app: FastifyInstance, context: PaymentRouteContext): void {
  const shared = { method: 'POST', params: RefundParams } as const;
  const path = '/payments/:payment_id/refunds/:refund_id';
  registerMerchantCall(app, context, {
    ...shared,
    path: `${path}/transaction`,
    body: RefundTransactionBody,
    response: RefundTransactionView,
    cost: 20,
    operation: {
      ...ofRefund,
      id: 'buildRefundTransaction',
      summary: 'An unsigned transaction that pays a refund',
      description:
        "A PSBT for your own wallet; the service holds no key and signs nothing. Unless `from` names addresses, it spends what came to the payment's " +
        'address, which is not enough for amount and fee where all of it goes back: give more addresses. Nothing is reserved, and ' +
        'nothing is sent. `transaction_refused` says why there is none.',
      errors: [
        'payment_not_found',
        'refund_not_found',
        'refund_closed',
        'address_invalid',
        'change_address_refused',
        'not_ready',
        'index_unavailable',
      ],
      bodyExample: refundExamples.transactionRequest,
      example: refundExamples.transaction,
    },
    call: ({ merchant, params, body }) =>
      buildRefundTransaction(context, merchant, params.payment_id, params.refund_id, body),
  });

  registerMerchantCall(app, context, {
    ...shared,
    path: `${path}/sent`,
    body: RefundSentBody,
    response: LeftoverView,
    cost: 5,
    operation: {
      ...ofRefund,
      id: 'sendRefund',
      summary: 'Name the transaction that pays a refund',
      description:
        'It is looked up: it must have an output of at least the amount to the address of the refund, and each output serves one refund. ' +
        'What neither chain nor mempool has is kept as `seen: false` and watched, as everything named here is, until it is 100 blocks ' +
        'deep; what is never seen is given up after 14 days, until it is named again. Another one can take its place unless it is in the mempool ' +
        'or in a block: to raise a fee, broadcast the replacement first. Refused is what was in a block before the payment was made, and what ' +
        'paid it. Naming the same twice changes nothing.',
      errors: [
        'payment_not_found',
        'refund_not_found',
        'refund_closed',
        'refund_output_missing',
        'refund_transaction_refused',
        'refund_transaction_stands',
        'refunds_exhausted',
        'not_ready',
        'index_unavailable',
      ],
      bodyExample: { txid: refundExamples.sentRefund.txid },
      example: refundExamples.sent,
    },
    call: ({ merchant, params, body }) =>
      sendRefund(context, merchant, params.payment_id, params.refund_id, body.txid.toLowerCase()),
  });

  registerMerchantCall(app, context, {
    ...shared,
    path: `${path}/cancel`,
    response: LeftoverView,
    cost: 2,
    operation: {
      ...ofRefund,
      id: 'cancelRefund',
      summary: 'Cancel a refund',
      description:
        'One that was not sent, or none of whose transactions is in the mempool or in a block; its amount is open again. A transaction that is gone can come ' +
        'back: spend one of its inputs elsewhere first. Cancelling twice changes nothing.',
      errors: [
        'payment_not_found',
        'refund_not_found',
        'refund_not_cancellable',
        'not_ready',
        'index_unavailable',
      ],
      example: refundExamples.cancelled,
    },
    call: ({ merchant, params }) => cancelRefund(context, merchant, params.payment_id, params.refund_id),
  });
}

/** @throws AppError `payment_not_found` */
async function getLeftover(context: PaymentRouteContext, merchant: Merchant, id: string) {
  const query = paymentQuery(context.precious);
  const payment = await query
    .selectFrom('payment')
    .selectAll()
    .where('id', '=', id)
    .where('merchant_id', '=', merchant.id)
    .executeTakeFirst();
  if (payment === undefined) throw paymentNotFound(id);
  return serialiseLeftover(await readLeftover(query, context, payment), context.profile);
}
