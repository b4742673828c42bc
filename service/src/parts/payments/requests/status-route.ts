import { PaymentParams, PaymentView } from '@coinfront/api/payments.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall, type WrittenJson } from '../../../http/call-route.ts';
import { matchesEtag } from '../../../http/snapshot.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { paymentExamples } from './examples-payments.ts';
import { type PaymentVersion, readPaymentState, readPaymentVersion } from './payment-store.ts';
import { paymentNotFound } from './refuse-payment.ts';
import { type PaymentState, serialisePayment } from './serialise-payment.ts';

/** Answers that are remembered, and characters of one at most; most have about a thousand. */
const MAX_WRITTEN = 2_000;
const MAX_WRITTEN_LENGTH = 8_192;

/** `GET /payments/{payment_id}`: the status that everybody may read. */
export function registerStatus(
  app: FastifyInstance,
  { precious, profile, publicUrl }: PaymentRouteContext,
): void {
  const rules = { profile, publicUrl };
  /** Answers of late; each is right for as long as its tag is. */
  const written = new Map<string, WrittenJson>();
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
      if (before?.etag === known) return before;
      const state = await readPaymentState(precious, id);
      if (state === undefined) throw paymentNotFound(id);
      const answer = { etag: nameState(state), writtenJson: JSON.stringify(serialisePayment(state, rules)) };
      if (written.size >= MAX_WRITTEN) written.clear();
      if (answer.writtenJson.length <= MAX_WRITTEN_LENGTH) written.set(id, answer);
      return answer;
    },
  });
}

function nameState({ payment: { sequence, updated_at }, tip }: PaymentState): string {
  return nameVersion({ sequence, updated_at, tip_height: tip?.height ?? null, tip_hash: tip?.hash ?? null });
}

/** An ETag. Confirmations change with the tip alone. */
function nameVersion({ sequence, updated_at, tip_height, tip_hash }: PaymentVersion): string {
  return `W/"${sequence}-${updated_at.toString(36)}-${tip_height ?? ''}-${tip_hash?.slice(-16) ?? ''}"`;
}
