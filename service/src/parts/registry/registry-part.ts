/** The node registry: its routes and its own OpenAPI document. */

import type { FastifyInstance } from 'fastify';
import { registerDocumentRoute } from '../../http/document-route.ts';
import { buildOpenApi } from '../../http/openapi.ts';
import type { RouteList } from '../../http/route-list.ts';
import { registerLogRoutes } from '../../signed-log/log-routes.ts';
import { onLogTables } from '../../signed-log/log-tables.ts';
import { listCosignatures } from '../../signed-log/witness/ask-for-cosignature.ts';
import { registerWitnessRoutes } from '../../signed-log/witness/witness-routes.ts';
import { registerAlertRoute } from './alerts/alert-route.ts';
import { registerClaimRoutes } from './claims/claim-routes.ts';
import { registerUptimeRoute } from './days/uptime-route.ts';
import { findEpochLog } from './log/epoch-log.ts';
import { registerEpochProofRoute } from './log/epoch-proof-route.ts';
import { registerEpochRoutes } from './log/epoch-routes.ts';
import { registerReceiptRoutes } from './log/receipt-routes.ts';
import { registerNodeRoutes } from './nodes/node-routes.ts';
import { type RegistryContext, registryPrefix } from './registry-context.ts';
import { registryExamples } from './registry-examples.ts';
import { registerRewardRoute } from './rewards/reward-route.ts';
import type { RegistryTables } from './schema/registry-tables.ts';
import { registerStatusRoute } from './status-route.ts';
import { registerLooksRoutes } from './vantage/looks-routes.ts';

/** Creates the part; `routes` is the server's list, for the document. */
export function createRegistryPart(context: RegistryContext, routes: RouteList) {
  return {
    register(app: FastifyInstance): void {
      app.register(
        async (scope) => {
          registerStatusRoute(scope, context);
          registerNodeRoutes(scope, context);
          registerUptimeRoute(scope, context);
          registerAlertRoute(scope, context);
          registerReceiptRoutes(scope, context);
          registerLooksRoutes(scope, context);
          registerEpochRoutes(scope, context);
          registerEpochProofRoute(scope, context);
          registerWitnessRoutes(scope, { ...context, document: 'nodes', tag: 'Log' });
          registerLogRoutes(scope, {
            precious: context.precious,
            findOrigin: () => findEpochLog(context.precious.query<RegistryTables>()),
            listCosignatures: (head) =>
              listCosignatures(onLogTables(context.precious.query<RegistryTables>()), head),
            document: 'nodes',
            tag: 'Log',
            ids: { checkpoint: 'getLogCheckpoint', growth: 'proveLogGrowth' },
            examples: { checkpoint: registryExamples.epochProof.checkpoint, growth: registryExamples.growth },
          });
          registerRewardRoute(scope, context);
          registerClaimRoutes(scope, context);
          registerDocumentRoute(scope, {
            document: 'nodes',
            of: 'the node registry',
            build: () => buildNodeDocument(routes, context.publicUrl),
          });
        },
        { prefix: registryPrefix },
      );
    },
  };
}

/** The document of this part; `publicUrl` is what clients call the service. */
export function buildNodeDocument(routes: RouteList, publicUrl = ''): Record<string, unknown> {
  return buildOpenApi(
    routes,
    {
      name: 'nodes',
      title: 'Coinfront node registry',
      version: '1.0.0',
      serverUrl: publicUrl + registryPrefix,
      description:
        'Nodes of the coin that their owners have registered, looked at over the peer-to-peer protocol, with a signed log ' +
        'that anybody can check. Nothing of it is consensus: it changes no rule of the chain.',
    },
    registryPrefix,
  );
}
