import { pageLimits } from '@coinfront/api/paging.ts';
import {
  MerchantPaymentView,
  PaymentList,
  PaymentListQuery,
  PaymentParams,
  PaymentRequestBody,
  PaymentView,
} from '@coinfront/api/payments.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall, type WrittenJson } from '../../../http/call-route.ts';
import { decodeTimedCursor, encodeTimedCursor } from '../../../http/cursor.ts';
import { matchesEtag } from '../../../http/snapshot.ts';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { acceptPayment } from './accept-payment.ts';
import { cancelPayment } from './cancel-payment.ts';
import { createPaymentMaker } from './create-payment.ts';
import { paymentExamples } from './examples-payments.ts';
import { IdempotencyHeaders } from './idempotency.ts';
import { listPayments } from './list-payments.ts';
import { checkPaymentRequest } from './payment-request.ts';
import {
  findJudgedTip,
  listShownOutputs,
  type PaymentVersion,
  paymentQuery,
  readPaymentState,
  readPaymentVersion,
} from './payment-store.ts';
import { paymentNotFound } from './refuse-payment.ts';
import { type PaymentState, serialiseMerchantPayment, serialisePayment } from './serialise-payment.ts';

/** Answers that are remembered, and characters of one at most; most have about a thousand. */
const MAX_WRITTEN = 2_000;
const MAX_WRITTEN_LENGTH = 8_192;

/** `POST` and `GET /payments`, `GET /payments/{payment_id}`, and what a merchant may do with one. */
export function registerPaymentRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  registerCreate(app, context);
  registerStatus(app, context);
  registerList(app, context);
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
        'the header `Idempotency-Replayed: true`.',
      errors: [
        'amount_invalid',
        'currency_unknown',
        'rate_unavailable',
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
  /** Answers of late; each is right for as long as its tag is. */
  const written = new Map<string, WrittenJson & { tag: string }>();
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
      const version = await readPaymentVersion(precious, id);
      if (version === undefined) throw paymentNotFound(id);
      const known = nameVersion(version);
      if (matchesEtag(request.headers['if-none-match'], known)) {
        return reply.header('etag', known).code(304).send();
      }
      const before = written.get(id);
      if (before?.tag === known) {
        reply.header('etag', known);
        return before;
      }
      const state = await readPaymentState(precious, id);
      if (state === undefined) throw paymentNotFound(id);
      const answer = { tag: nameState(state), writtenJson: JSON.stringify(serialisePayment(state, rules)) };
      if (written.size >= MAX_WRITTEN) written.clear();
      if (answer.writtenJson.length <= MAX_WRITTEN_LENGTH) written.set(id, answer);
      reply.header('etag', answer.tag);
      return answer;
    },
  });
}

function registerList(app: FastifyInstance, context: PaymentRouteContext): void {
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
        'All of them, or those of a status, or those that `q` names: an identifier, an address, a txid, or words of the ' +
        'description in the case of ASCII ignored. A request looks at 5,000 payments at most, so a rare status or word may ' +
        'give short pages; follow `next_cursor` until it is null.',
      errors: ['index_unavailable'],
      parameterExamples: { status: 'paid', q: 'Order 10023' },
      example: { items: [paymentExamples.merchantPayment], next_cursor: null },
    },
    async call({ merchant, query: { limit = pageLimits.default, cursor, status, q } }) {
      const subject = `${merchant.id} ${status ?? ''} ${q ?? ''}`;
      const below = decodeTimedCursor('payments', subject, cursor);
      const query = paymentQuery(precious);
      const filter = { status, text: q };
      const page = await listPayments(query, precious.engine, merchant.id, filter, below, limit, profile);
      const outputs = await listShownOutputs(
        query,
        page.payments.map(({ id }) => id),
      );
      const tip = await findJudgedTip(query);
      return {
        items: page.payments.map((payment) =>
          serialiseMerchantPayment({ payment, outputs: outputs.get(payment.id)!, tip }, context),
        ),
        next_cursor: page.next === undefined ? null : encodeTimedCursor('payments', subject, page.next),
      };
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

function nameState({ payment: { sequence, updated_at }, tip }: PaymentState): string {
  return nameVersion({ sequence, updated_at, tip_height: tip?.height ?? null, tip_hash: tip?.hash ?? null });
}

/** An ETag. Confirmations change with the tip alone. */
function nameVersion({ sequence, updated_at, tip_height, tip_hash }: PaymentVersion): string {
  return `"${sequence}-${updated_at.toString(36)}-${tip_height ?? ''}-${tip_hash?.slice(-16) ?? ''}"`;
}
