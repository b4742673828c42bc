/** Takes the address that a payer gives on the page: an HTML form, without a script, a cookie or a key. */

import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { BodyReader } from '../../../http/read-body.ts';
import { paymentIdPattern } from '../payment-ids.ts';
import { wordsFor } from './checkout-page.ts';
import { renderErrorPage } from './render-message.ts';
import { refundAddressField } from './render-refund.ts';

/** What the form needs. */
export type RefundFormContext = {
  /** Refuses keys in what was typed, before anything else looks at it. */
  bodies: Pick<BodyReader, 'readText'>;
  /** Keeps the address. @throws AppError */
  giveRefundAddress(paymentId: string, text: string): Promise<void>;
};

/** An address, percent-encoded, and its name: no form of ours is longer. */
const BODY_LIMIT = 1_024;
/** As much as a few changes: it is asked once a payment. */
const COST = 10;

type Params = { Params: { payment_id: string } };

/** Registers `POST /pay/{payment_id}/refund-address`; the answer leads back to the page. */
export function registerRefundForm(app: FastifyInstance, context: RefundFormContext): void {
  // A scope of its own: nowhere else are forms read.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (request: FastifyRequest, text: string | Buffer) => {
        const form = new URLSearchParams(text as string);
        await context.bodies.readText(request, [...form.values(), ...form.keys()].join('\n'));
        return form;
      },
    );
    scope.post<Params>(
      '/pay/:payment_id/refund-address',
      {
        bodyLimit: BODY_LIMIT,
        config: {
          cost: COST,
          renderError: (error, request) =>
            renderErrorPage(error, request.id, wordsFor(request), findWayBack(request)),
        },
      },
      async (request, reply) => {
        const { payment_id: id } = request.params;
        if (!paymentIdPattern.test(id))
          throw new AppError('payment_not_found', `There is no payment ${quoteReceived(id)}.`);
        const fields = request.body instanceof URLSearchParams ? [...request.body] : [];
        const [field] = fields;
        if (fields.length !== 1 || field?.[0] !== refundAddressField)
          throw new AppError('invalid_body', `The form has one field, "${refundAddressField}".`);
        await context.giveRefundAddress(id, field[1]);
        const { language } = wordsFor(request);
        return reply
          .code(303)
          .header('cache-control', 'no-store')
          .header('location', `../${id}?lang=${language}`)
          .send();
      },
    );
  });
}

function findWayBack(request: FastifyRequest): string | undefined {
  const { payment_id: id = '' } = (request.params ?? {}) as Partial<Params['Params']>;
  return paymentIdPattern.test(id) ? `../${id}?lang=${wordsFor(request).language}` : undefined;
}
