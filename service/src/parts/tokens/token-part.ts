/** The token part: tokens, holders, operations, the state of the index, and their own OpenAPI document. */

import type { FastifyInstance } from 'fastify';
import { registerDocumentRoute } from '../../http/document-route.ts';
import type { RouteList } from '../../http/route-list.ts';
import { registerAddressTokenRoute } from './address-routes.ts';
import { registerDistributionRoute } from './distribution-route.ts';
import { registerEncodeRoutes } from './encode/encode-routes.ts';
import { registerEventRoutes } from './event-routes.ts';
import { registerPreflightRoute } from './preflight-route.ts';
import { registerSeriesRoute } from './series-route.ts';
import { registerStatusRoutes } from './status-routes.ts';
import { registerSupplySeriesRoute } from './supply-series-route.ts';
import { type TokenRouteContext, tokenPrefix } from './token-context.ts';
import { buildTokenDocument } from './token-document.ts';
import { registerTokenRoutes } from './token-routes.ts';

/** Creates the token part; `routes` is the server's list, for the document. */
export function createTokenPart(context: TokenRouteContext, routes: RouteList, publicUrl?: string) {
  return {
    register(app: FastifyInstance): void {
      app.register(
        async (scope) => {
          registerStatusRoutes(scope, context);
          registerSeriesRoute(scope, context);
          registerTokenRoutes(scope, context);
          registerSupplySeriesRoute(scope, context);
          registerDistributionRoute(scope, context);
          registerEventRoutes(scope, context);
          registerAddressTokenRoute(scope, context);
          registerEncodeRoutes(scope, context);
          registerPreflightRoute(scope, context);
          scope.register(
            async (documentScope) =>
              registerDocumentRoute(documentScope, {
                document: 'tokens',
                of: 'the token service',
                build: () => buildTokenDocument(routes, publicUrl),
              }),
            { prefix: '/tok' },
          );
        },
        { prefix: tokenPrefix },
      );
    },
  };
}
