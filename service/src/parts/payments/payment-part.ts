/** The part of payments: their routes under `/api/v1`, in the chain document. */

import type { FastifyInstance } from 'fastify';
import type { PaymentRouteContext } from './payment-context.ts';
import { registerPaymentRoutes } from './payment-routes.ts';

const prefix = '/api/v1';

/** Creates the part. */
export function createPaymentPart(context: PaymentRouteContext): { register(app: FastifyInstance): void } {
  return {
    register(app) {
      app.register(async (scope) => registerPaymentRoutes(scope, context), { prefix });
    },
  };
}
