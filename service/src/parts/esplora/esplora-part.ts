/** The Esplora part: the read API that existing wallets speak, under `/esplora`. */

import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { buildOpenApi } from '../../http/openapi.ts';
import { registerCall } from '../../http/route.ts';
import type { RouteList } from '../../http/route-list.ts';
import { registerBlockRoutes } from './block-routes.ts';
import { type EsploraContext, esploraPrefix } from './esplora-context.ts';
import { registerMempoolRoutes } from './mempool-routes.ts';
import { registerOwnerRoutes } from './owner-routes.ts';
import { registerTxRoutes } from './tx-routes.ts';

/** Creates the Esplora part; `routes` is the server's list, for the document. */
export function createEsploraPart(context: EsploraContext, routes: RouteList, publicUrl?: string) {
  return {
    register(app: FastifyInstance): void {
      app.register(
        async (scope) => {
          registerBlockRoutes(scope, context);
          registerTxRoutes(scope, context);
          registerOwnerRoutes(scope, context, 'address');
          registerOwnerRoutes(scope, context, 'scripthash');
          registerMempoolRoutes(scope, context);
          let document: Record<string, unknown> | undefined;
          registerCall(scope, {
            method: 'GET',
            path: '/openapi.json',
            response: Type.Unsafe<object>({
              type: 'object',
              additionalProperties: true,
              description: 'OpenAPI 3.0.3.',
            }),
            cache: 'buried',
            operation: {
              document: 'esplora',
              id: 'getOpenApi',
              tag: 'Service',
              summary: 'This document',
              description: 'The machine-readable specification of the Esplora-compatible API, OpenAPI 3.0.3.',
              errors: [],
              example: { openapi: '3.0.3' },
            },
            call: () => (document ??= buildEsploraDocument(routes, publicUrl)),
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
