/** The treasury: contributors, intents, the ledger and its reconciliation, and their own OpenAPI document. */

import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { registerDocumentRoute } from '../../http/document-route.ts';
import type { RouteList } from '../../http/route-list.ts';
import { registerLogRoutes } from '../../signed-log/log-routes.ts';
import { onLogTables } from '../../signed-log/log-tables.ts';
import { listCosignatures } from '../../signed-log/witness/ask-for-cosignature.ts';
import { registerClaimRoute } from './assignments/claim-route.ts';
import { registerVerifyRoute } from './attribution/verify-route.ts';
import { createAuthenticate } from './contributors/authenticate-contributor.ts';
import { registerContributorRoutes } from './contributors/contributor-routes.ts';
import { registerIntentRoute } from './intents/intent-route.ts';
import { findLedgerLog } from './ledger/ledger-log.ts';
import { registerLedgerRoutes } from './ledger/ledger-routes.ts';
import { registerReceiptRoute } from './ledger/receipt-route.ts';
import { registerSeriesRoute } from './ledger/series-route.ts';
import { registerHealthRoute, registerStatusRoute } from './reconciliation/status-routes.ts';
import type { TreasuryTables } from './schema/treasury-tables.ts';
import { type TreasuryContext, type TreasuryPartContext, treasuryPrefix } from './treasury-context.ts';
import { buildTreasuryDocument } from './treasury-document.ts';
import { treasuryExamples } from './treasury-examples.ts';

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
          registerLogRoutes(scope, {
            precious: context.precious,
            findOrigin: () => findLedgerLog(context.precious.query<TreasuryTables>()),
            listCosignatures: (head) =>
              listCosignatures(onLogTables(context.precious.query<TreasuryTables>()), head),
            document: 'treasury',
            tag: 'Ledger',
            errors: ['treasury_not_configured'],
            ids: { checkpoint: 'getLedgerCheckpoint', growth: 'proveLedgerGrowth' },
            examples: { checkpoint: treasuryExamples.checkpoint, growth: treasuryExamples.growth },
          });
          registerReceiptRoute(scope, routeContext, authenticate);
          registerClaimRoute(scope, routeContext, authenticate);
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
