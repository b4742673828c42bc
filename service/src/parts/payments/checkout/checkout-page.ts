import type { PaymentJson } from '@coinfront/api/payments.ts';
import type { FastifyInstance } from 'fastify';
import { AppError, quoteReceived } from '../../../errors.ts';
import { type CheckoutCoin, renderCheckout } from './render-checkout.ts';
import { renderErrorPage } from './render-message.ts';

/** What the page needs. */
export type CheckoutContext = {
  profile: CheckoutCoin;
  /** Unix milliseconds. */
  now: () => number;
  /** A payment as everybody may see it. */
  findPayment(paymentId: string): Promise<PaymentJson | undefined>;
};

const paymentIdPattern = /^VP-[0-9A-HJKMNP-TV-Z]{12}$/;

/** Registers `GET /pay/{payment_id}`: the page for the payer, in HTML, with HTML errors. */
export function registerCheckoutPage(app: FastifyInstance, context: CheckoutContext): void {
  const { profile, now, findPayment } = context;
  app.get<{ Params: { payment_id: string } }>(
    '/pay/:payment_id',
    { config: { renderError: renderErrorPage } },
    async (request, reply) => {
      const id = request.params.payment_id;
      const payment = paymentIdPattern.test(id) ? await findPayment(id) : undefined;
      if (payment === undefined) {
        throw new AppError('payment_not_found', `There is no payment ${quoteReceived(id)}.`);
      }
      const page = renderCheckout(payment, profile, now());
      return reply
        .headers(page.headers)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page.html);
    },
  );
}
