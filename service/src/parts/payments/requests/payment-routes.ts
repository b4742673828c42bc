import { MerchantPaymentView, PaymentParams, PaymentRequestBody } from '@coinfront/api/payments.ts';
import type { FastifyInstance } from 'fastify';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { acceptPayment } from './accept-payment.ts';
import { cancelPayment } from './cancel-payment.ts';
import { createPaymentMaker } from './create-payment.ts';
import { paymentExamples } from './examples-payments.ts';
import { registerExport } from './export-route.ts';
import { IdempotencyHeaders } from './idempotency.ts';
import { registerMerchantReads } from './list-routes.ts';
import { checkPaymentRequest, readExactBody } from './payment-request.ts';
import { serialiseMerchantPayment } from './serialise-payment.ts';
import { registerStatus } from './status-route.ts';

/** Every route of payments: they are made, read by everybody and by their merchant, listed, exported and decided on. */
export function registerPaymentRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  registerCreate(app, context);
  registerStatus(app, context);
  registerMerchantReads(app, context);
  registerExport(app, context);
  registerDecisions(app, context);
}

function registerCreate(app: FastifyInstance, context: PaymentRouteContext): void {
  const createPayment = createPaymentMaker(context);
  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/payments',
    headers: IdempotencyHeaders,
    scope: 'create',
    body: PaymentRequestBody,
    response: MerchantPaymentView,
    cost: 2,
    operation: {
      id: 'createPayment',
      tag: 'Payments',
      status: 201,
      summary: 'Create a payment request',
      description:
        'Asks for an amount, or for the coins that a `price` is at the rate of now, to a given recipient or to an address ' +
        'of the pool. Show the payer `checkout_url`, or the ' +
        '`payment_uri` as a link and QR code. What the address had received before is never counted. Send an ' +
        '`Idempotency-Key`, so that a request whose answer was lost can be sent again; an answer that is given again has ' +
        'the header `Idempotency-Replayed: true`. `order_id` and `metadata` are for you alone; with `unique_order_id` an order ' +
        'has one payment that is under way or paid.',
      errors: [
        'amount_invalid',
        'currency_unknown',
        'rate_unavailable',
        'confirmations_too_few',
        'webhook_url_refused',
        'return_url_refused',
        'address_invalid',
        'names_unavailable',
        'recipient_unresolved',
        'recipient_busy',
        'recipient_too_active',
        'order_id_used',
        'address_in_pool',
        'pool_exhausted',
        'idempotency_key_reused',
        'idempotency_key_in_use',
        'not_ready',
        'index_unavailable',
      ],
      parameterExamples: { 'Idempotency-Key': 'order-10023' },
      bodyExample: paymentExamples.request,
      example: paymentExamples.created,
    },
    async call({ merchant, body: parsed, request, reply }) {
      const body = readExactBody(parsed, request.jsonText);
      const terms = checkPaymentRequest(body, merchant, context);
      const key = request.headers['idempotency-key'] as string | undefined;
      const answer = await createPayment(merchant, terms, { idempotencyKey: key, body });
      if (answer.isReplay) reply.header('idempotency-replayed', 'true');
      return { writtenJson: answer.body };
    },
  });
}

function registerDecisions(app: FastifyInstance, context: PaymentRouteContext): void {
  const shared = {
    method: 'POST',
    params: PaymentParams,
    response: MerchantPaymentView,
    cost: 2,
  } as const;
  const documented = {
    tag: 'Payments',
    parameterExamples: { payment_id: paymentExamples.payment.id },
  };
  registerMerchantCall(app, context, {
    ...shared,
    path: '/payments/:payment_id/cancel',
    scope: 'create',
    operation: {
      ...documented,
      id: 'cancelPayment',
      summary: 'Cancel a payment',
      description:
        'Any payment that is neither settled nor expired, whatever was seen of it; also one that is `reorged`. What was there ' +
        'stays in `received`; what comes from then on is late and told as `payment.late`. Cancelling twice changes nothing.',
      errors: ['payment_not_found', 'payment_not_cancellable', 'index_unavailable'],
      example: paymentExamples.cancelled,
    },
    call: async ({ merchant, params }) =>
      serialiseMerchantPayment(await cancelPayment(context, merchant, params.payment_id), context),
  });
  registerMerchantCall(app, context, {
    ...shared,
    path: '/payments/:payment_id/accept',
    operation: {
      ...documented,
      id: 'acceptPayment',
      summary: 'Accept what came as enough',
      description:
        'For a payment that is expired, cancelled or underpaid, or reorged with less than its amount, and that money came for. All ' +
        'that is there now, late or not, is its `accepted_amount`: it is paid once so much has the confirmations that it ' +
        'requires. The new status follows with the next look at the chain, usually within a second, and with its event. ' +
        'Accepting twice changes nothing.',
      errors: ['payment_not_found', 'payment_not_acceptable', 'recipient_busy', 'index_unavailable'],
      example: paymentExamples.accepted,
    },
    call: async ({ merchant, params }) =>
      serialiseMerchantPayment(await acceptPayment(context, merchant, params.payment_id), context),
  });
}
