/** The Esplora part: the read API that existing wallets speak, under `/esplora`. */

import type { FastifyInstance } from 'fastify';
import { registerDocumentRoute } from '../../http/document-route.ts';
import { readQueriesLeniently } from '../../http/lenient-query.ts';
import { buildOpenApi } from '../../http/openapi.ts';
import type { RouteList } from '../../http/route-list.ts';
import { registerAddressPrefixRoute } from './address-prefix-route.ts';
import { registerBlockRoutes } from './block-routes.ts';
import { registerDifficultyRoute } from './difficulty-route.ts';
import { type EsploraContext, esploraPrefix } from './esplora-context.ts';
import { registerExtendedBlockRoutes } from './extended-block-routes.ts';
import { registerManyTxsRoutes } from './many-txs-routes.ts';
import { registerMempoolRoutes } from './mempool-routes.ts';
import { registerMempoolSpaceRoutes } from './mempool-space-routes.ts';
import { registerMempoolSpaceTxRoutes } from './mempool-space-tx-routes.ts';
import { registerOwnerRoutes } from './owner-routes.ts';
import { registerTxRoutes } from './tx-routes.ts';

/** Creates the Esplora part; `routes` is the server's list, for the document. */
export function createEsploraPart(context: EsploraContext, routes: RouteList, publicUrl?: string) {
  return {
    register(app: FastifyInstance): void {
      app.textErrors.add(esploraPrefix);
      // Clients of mempool.space add it to the host that they are given.
      app.pathAliases.add(`${esploraPrefix}/api`, esploraPrefix);
      app.register(
        async (scope) => {
          readQueriesLeniently(scope);
          registerBlockRoutes(scope, context);
          registerTxRoutes(scope, context);
          registerOwnerRoutes(scope, context, 'address');
          registerOwnerRoutes(scope, context, 'scripthash');
          registerMempoolRoutes(scope, context);
          registerMempoolSpaceRoutes(scope, context);
          registerManyTxsRoutes(scope, context);
          registerAddressPrefixRoute(scope, context);
          registerExtendedBlockRoutes(scope, context);
          registerMempoolSpaceTxRoutes(scope, context);
          registerDifficultyRoute(scope, context);
          registerDocumentRoute(scope, {
            document: 'esplora',
            of: 'the Esplora-compatible API',
            build: () => buildEsploraDocument(routes, publicUrl),
          });
        },
        { prefix: esploraPrefix },
      );
    },
  };
}

/** The document of this part; `publicUrl` is what clients call the service. */
export function buildEsploraDocument(routes: RouteList, publicUrl = ''): Record<string, unknown> {
  return buildOpenApi(
    routes,
    {
      name: 'esplora',
      title: 'Coinfront, Esplora-compatible read API',
      version: '1.0.0',
      serverUrl: publicUrl + esploraPrefix,
      description:
        "The read API of Blockstream's Esplora, so that wallets that speak it work unchanged. Amounts are numbers of base " +
        'units, exact beyond 2^53 as well. Errors are plain text.',
    },
    esploraPrefix,
  );
}
