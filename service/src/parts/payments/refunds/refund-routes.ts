/** Routes of merchants about money that is no part of the deal: what is left over, refunds, and letting it be. */

import { pageLimits } from '@coinfront/api/paging.ts';
import { PaymentParams } from '@coinfront/api/payments.ts';
import { LeftoverView, ResolveBody, UnsettledList, UnsettledQuery } from '@coinfront/api/refunds.ts';
import type { FastifyInstance } from 'fastify';
import { decodeTimedCursor, encodeTimedCursor } from '../../../http/cursor.ts';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import { refundExamples } from './examples-refunds.ts';
import { listUnsettled } from './leftover-store.ts';
import { readLeftovers } from './read-leftover.ts';
import { removeRefundAddress } from './refund-address.ts';
import { registerRefundCalls } from './refund-calls.ts';
import { resolveLeftover } from './resolve-leftover.ts';
import { serialiseLeftover } from './serialise-leftover.ts';

const documented = { tag: 'Refunds', parameterExamples: { payment_id: refundExamples.leftover.payment_id } };

/** `/merchant/unsettled`, `/payments/{payment_id}/refunds`, `/resolve` and `/refund-address`. */
export function registerRefundRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  const { precious, profile } = context;

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/unsettled',
    query: UnsettledQuery,
    response: UnsettledList,
    cost: 5,
    operation: {
      id: 'listUnsettled',
      tag: 'Refunds',
      summary: 'Payments with money that nobody has settled, newest first',
      description:
        'Money that came too late, to a payment that is expired or cancelled, or above the amount; and refunds of more than is left over, because ' +
        'money went away. A payment leaves the list when it ' +
        'is accepted, when all of it is in refunds, or when it is resolved; more money brings it back.',
      errors: ['index_unavailable'],
      example: { items: [refundExamples.unsettled], next_cursor: null },
    },
    async call({ merchant, query: { limit = pageLimits.default, cursor } }) {
      const below = decodeTimedCursor('unsettled', merchant.id, cursor);
      const query = paymentQuery(precious);
      const rows = await listUnsettled(query, merchant.id, below, limit + 1);
      const shown = rows.slice(0, limit);
      const leftovers = await readLeftovers(query, context, shown);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return {
        items: leftovers.map((leftover) => serialiseLeftover(leftover, profile)),
        next_cursor:
          last === undefined
            ? null
            : encodeTimedCursor('unsettled', merchant.id, { atMs: last.created_at, id: last.id }),
      };
    },
  });

  registerRefundCalls(app, context);

  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/payments/:payment_id/resolve',
    params: PaymentParams,
    body: ResolveBody,
    response: LeftoverView,
    cost: 2,
    operation: {
      ...documented,
      id: 'resolvePayment',
      summary: 'Let be what is left over',
      description:
        'Takes the payment from the list of unsettled ones by your word, which is kept with time and amount: it was settled elsewhere, or ' +
        'is not worth sending back. More money after that brings it back. Asking twice changes nothing.',
      errors: ['payment_not_found', 'nothing_to_refund', 'index_unavailable'],
      bodyExample: { note: 'Settled in the shop, in cash.' },
      example: refundExamples.resolved,
    },
    call: ({ merchant, params, body }) => resolveLeftover(context, merchant, params.payment_id, body.note),
  });

  registerMerchantCall(app, context, {
    method: 'DELETE',
    path: '/payments/:payment_id/refund-address',
    params: PaymentParams,
    response: LeftoverView,
    cost: 2,
    operation: {
      ...documented,
      id: 'removeRefundAddress',
      summary: "Remove the buyer's address",
      description:
        'The first address that is given on the checkout page stands; after this another can be given. Refunds that were made keep theirs.',
      errors: ['payment_not_found', 'index_unavailable'],
      example: refundExamples.withoutAddress,
    },
    call: ({ merchant, params }) => removeRefundAddress(context, merchant, params.payment_id),
  });
}
