import {
  MerchantPaymentView,
  PaymentParams,
  PaymentRequestBody,
  PaymentView,
} from '@coinfront/api/payments.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { registerCall } from '../../http/route.ts';
import { matchesEtag } from '../../http/snapshot.ts';
import { createPaymentMaker } from './create-payment.ts';
import { paymentExamples } from './examples-payments.ts';
import { IdempotencyHeaders } from './idempotency.ts';
import { registerMerchantCall } from './merchant-call.ts';
import type { PaymentRouteContext } from './payment-context.ts';
import { checkPaymentRequest } from './payment-request.ts';
import { findPaymentState, findPaymentVersion, type PaymentVersion, paymentQuery } from './payment-store.ts';
import { type PaymentState, serialisePayment } from './serialise-payment.ts';

/** `POST /payments` and `GET /payments/{payment_id}`. */
export function registerPaymentRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  registerCreate(app, context);
  registerStatus(app, context);
}

function registerCreate(app: FastifyInstance, context: PaymentRouteContext): void {
  const createPayment = createPaymentMaker(context);
  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/payments',
    headers: IdempotencyHeaders,
    body: PaymentRequestBody,
    response: MerchantPaymentView,
    cost: 2,
    operation: {
      id: 'createPayment',
      tag: 'Payments',
      status: 201,
      summary: 'Create a payment request',
      description:
        'Asks for an amount, to a given recipient or to an address of the pool. Show the payer `checkout_url`, or the ' +
        '`payment_uri` as a link and QR code. What the address had received before is never counted. Send an ' +
        '`Idempotency-Key`, so that a request whose answer was lost can be sent again; an answer that is given again has ' +
        'the header `Idempotency-Replayed: true`.',
      errors: [
        'amount_invalid',
        'confirmations_too_few',
        'webhook_url_refused',
        'address_invalid',
        'names_unavailable',
        'recipient_unresolved',
        'recipient_busy',
        'recipient_too_active',
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
    async call({ merchant, body, request, reply }) {
      const terms = checkPaymentRequest(body, context.profile, context.checkWebhookUrl);
      const key = request.headers['idempotency-key'] as string | undefined;
      const answer = await createPayment(merchant, terms, { idempotencyKey: key, body });
      if (answer.isReplay) reply.header('idempotency-replayed', 'true');
      return { writtenJson: answer.body };
    },
  });
}

function registerStatus(app: FastifyInstance, { precious, profile, publicUrl }: PaymentRouteContext): void {
  const rules = { profile, publicUrl };
  registerCall(app, {
    method: 'GET',
    path: '/payments/:payment_id',
    params: PaymentParams,
    response: PaymentView,
    cache: 'mempool',
    operation: {
      document: 'chain',
      id: 'getPayment',
      tag: 'Payments',
      revalidates: true,
      summary: 'Public status of a payment',
      description:
        'For the payer, without a key. Whoever knows the identifier may read it; it has 60 random bits. Poll it with ' +
        '`If-None-Match`: as long as nothing has changed the answer is 304.',
      errors: ['payment_not_found', 'index_unavailable'],
      parameterExamples: { payment_id: paymentExamples.payment.id },
      example: paymentExamples.payment,
    },
    async call({ params: { payment_id: id }, request, reply }) {
      const named = request.headers['if-none-match'];
      const query = paymentQuery(precious);
      if (named !== undefined) {
        const version = await findPaymentVersion(query, precious.engine, id);
        if (version === undefined) throw paymentNotFound(id);
        const tag = nameVersion(version);
        if (matchesEtag(named, tag)) return reply.header('etag', tag).code(304).send();
      }
      const state = await findPaymentState(query, precious.engine, id);
      if (state === undefined) throw paymentNotFound(id);
      reply.header('etag', nameState(state));
      return serialisePayment(state, rules);
    },
  });
}

/** @returns an error to throw */
export function paymentNotFound(id: string): AppError {
  return new AppError('payment_not_found', `There is no payment ${id}.`);
}

function nameState({ payment: { sequence, updated_at }, tip }: PaymentState): string {
  return nameVersion({ sequence, updated_at, tip_height: tip?.height ?? null, tip_hash: tip?.hash ?? null });
}

/** An ETag. Confirmations change with the tip alone. */
function nameVersion({ sequence, updated_at, tip_height, tip_hash }: PaymentVersion): string {
  return `"${sequence}-${updated_at.toString(36)}-${tip_height ?? ''}-${tip_hash?.slice(-16) ?? ''}"`;
}
