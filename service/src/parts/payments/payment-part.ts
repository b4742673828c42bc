/** The part of payments: their routes under `/api/v1`, in the chain document, and the page for payers. */

import type { FastifyInstance } from 'fastify';
import { registerCheckoutPage } from './checkout/checkout-page.ts';
import { registerKeyRoutes } from './merchants/key-routes.ts';
import { registerMerchantRoutes } from './merchants/merchant-routes.ts';
import type { PaymentRouteContext } from './payment-context.ts';
import { registerRateRoutes } from './rates/rate-routes.ts';
import { registerPaymentRoutes } from './requests/payment-routes.ts';
import { readPaymentState } from './requests/payment-store.ts';
import { serialisePayment } from './requests/serialise-payment.ts';
import { registerEndpointRoutes } from './webhooks/endpoint-routes.ts';
import { registerWebhookRoutes } from './webhooks/webhook-routes.ts';

const prefix = '/api/v1';

/** Creates the part. */
export function createPaymentPart(context: PaymentRouteContext): { register(app: FastifyInstance): void } {
  const { precious } = context;
  return {
    register(app) {
      app.register(
        async (scope) => {
          registerPaymentRoutes(scope, context);
          registerRateRoutes(scope, context);
          registerMerchantRoutes(scope, context);
          registerKeyRoutes(scope, context);
          registerWebhookRoutes(scope, context);
          registerEndpointRoutes(scope, context);
        },
        { prefix },
      );
      registerCheckoutPage(app, {
        profile: context.profile,
        now: context.now,
        findPayment: async (id) => {
          const state = await readPaymentState(precious, id);
          return state && serialisePayment(state, context);
        },
      });
    },
  };
}
