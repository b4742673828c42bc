/** The treasury: contributors, intents, the ledger and its reconciliation, and their own OpenAPI document. */

import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { registerDocumentRoute } from '../../http/document-route.ts';
import type { RouteList } from '../../http/route-list.ts';
import { createAuthenticate } from './authenticate-contributor.ts';
import { registerContributorRoutes } from './contributor-routes.ts';
import { registerIntentRoute } from './intent-route.ts';
import { registerLedgerRoutes } from './ledger-routes.ts';
import { registerSeriesRoute } from './series-route.ts';
import { registerHealthRoute, registerStatusRoute } from './status-routes.ts';
import { type TreasuryContext, type TreasuryPartContext, treasuryPrefix } from './treasury-context.ts';
import { buildTreasuryDocument } from './treasury-document.ts';
import { registerVerifyRoute } from './verify-route.ts';

/** Creates the part. Where the coin has no treasury, its routes say so, and health and document work. */
export function createTreasuryPart(context: TreasuryPartContext, routes: RouteList, publicUrl?: string) {
  return {
    register(app: FastifyInstance): void {
      app.register(
        async (scope) => {
          registerHealthRoute(scope, context);
          registerDocumentRoute(scope, {
            document: 'treasury',
            of: 'the treasury',
            build: () => buildTreasuryDocument(routes, publicUrl),
          });
        },
        { prefix: treasuryPrefix },
      );
      app.register(
        async (scope) => {
          const { treasury } = context.profile;
          if (treasury === undefined) scope.addHook('onRequest', refuseUnconfigured);
          // Without a treasury no handler is reached; what they are made with does not matter then.
          const routeContext = { ...context, treasury } as TreasuryContext;
          const authenticate = createAuthenticate(context);
          registerStatusRoute(scope, routeContext);
          registerContributorRoutes(scope, routeContext, authenticate);
          registerIntentRoute(scope, routeContext, authenticate);
          registerVerifyRoute(scope, routeContext, authenticate);
          registerLedgerRoutes(scope, routeContext);
          registerSeriesRoute(scope, routeContext);
        },
        { prefix: treasuryPrefix },
      );
    },
  };
}

async function refuseUnconfigured(): Promise<never> {
  throw new AppError(
    'treasury_not_configured',
    'The profile of this coin names no treasury. See /api/treasury/health.',
  );
}
