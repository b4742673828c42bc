/** BTCPay's interface for shops, as far as their plugins use it, under `/btcpay`. */

import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { renderCheckoutError } from '../checkout/checkout-page.ts';
import { paymentIdPattern } from '../payment-ids.ts';
import { registerGrantPage } from './grant-page.ts';
import { type GreenfieldContext, greenfieldPrefix } from './greenfield-context.ts';
import { registerInvoiceRoutes } from './invoice-routes.ts';
import { registerServerRoutes } from './server-routes.ts';
import { registerShopWebhookRoutes } from './shop-webhook-routes.ts';

/** Registers all of it. */
export function registerGreenfieldPart(app: FastifyInstance, context: GreenfieldContext): void {
  app.register(
    async (scope) => {
      acceptEmptyJson(scope, context);
      registerServerRoutes(scope, context);
      registerInvoiceRoutes(scope, context);
      registerShopWebhookRoutes(scope, context);
      registerGrantPage(scope, context);
      registerInvoicePage(scope, context);
    },
    { prefix: greenfieldPrefix },
  );
}

/** Plugins announce JSON with every request, also where there is none. */
function acceptEmptyJson(scope: FastifyInstance, { bodies }: GreenfieldContext): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string | Buffer) =>
      text === '' ? undefined : bodies.readJson(request, text as string),
  );
}

/** Where plugins send buyers and their shopkeepers: our page of the payment. */
function registerInvoicePage(scope: FastifyInstance, { publicUrl }: GreenfieldContext): void {
  for (const path of ['/i/:invoiceId', '/invoices/:invoiceId']) {
    scope.get<{ Params: { invoiceId: string } }>(
      path,
      { config: { renderError: renderCheckoutError } },
      (request, reply) => {
        const { invoiceId: id } = request.params;
        if (!paymentIdPattern.test(id)) {
          throw new AppError('payment_not_found', `There is no payment ${quoteReceived(id)}.`);
        }
        return reply.redirect(`${publicUrl}/pay/${id}`, 302);
      },
    );
  }
}
