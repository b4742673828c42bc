/** The part of payments: their routes under `/api/v1`, in the chain document, and the page for payers. */

import type { FastifyInstance } from 'fastify';
import { registerCheckoutPage } from './checkout/checkout-page.ts';
import { registerCheckoutRoutes } from './checkout/checkout-routes.ts';
import { findCheckoutView } from './checkout/find-view.ts';
import { registerRefundForm } from './checkout/refund-form.ts';
import type { GreenfieldContext } from './greenfield/greenfield-context.ts';
import { registerGreenfieldPart } from './greenfield/greenfield-part.ts';
import { registerKeyRoutes } from './merchants/key-routes.ts';
import { registerMerchantRoutes } from './merchants/merchant-routes.ts';
import { registerRateRoutes } from './rates/rate-routes.ts';
import { giveRefundAddress } from './refunds/refund-address.ts';
import { registerRefundRoutes } from './refunds/refund-routes.ts';
import { registerPaymentRoutes } from './requests/payment-routes.ts';
import { registerEndpointRoutes } from './webhooks/endpoint-routes.ts';
import { registerEventRoutes } from './webhooks/event-routes.ts';
import { registerWebhookRoutes } from './webhooks/webhook-routes.ts';

const prefix = '/api/v1';

/** Creates the part. */
export function createPaymentPart(context: GreenfieldContext): { register(app: FastifyInstance): void } {
  return {
    register(app) {
      app.register(
        async (scope) => {
          registerPaymentRoutes(scope, context);
          registerRateRoutes(scope, context);
          registerMerchantRoutes(scope, context);
          registerCheckoutRoutes(scope, context);
          registerKeyRoutes(scope, context);
          registerWebhookRoutes(scope, context);
          registerEndpointRoutes(scope, context);
          registerRefundRoutes(scope, context);
          registerEventRoutes(scope, context);
        },
        { prefix },
      );
      registerGreenfieldPart(app, context);
      registerCheckoutPage(app, {
        profile: context.profile,
        now: context.now,
        hasExplorer: context.hasExplorer,
        findView: (id) => findCheckoutView(context, id),
      });
      registerRefundForm(app, {
        bodies: context.bodies,
        giveRefundAddress: (id, text) => giveRefundAddress(context, id, text),
      });
    },
  };
}
