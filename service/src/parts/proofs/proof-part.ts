/** The proof part: look-ups of anchored digests, requests to anchor, and their own OpenAPI document. */

import type { FastifyInstance } from 'fastify';
import { registerDocumentRoute } from '../../http/document-route.ts';
import { buildOpenApi } from '../../http/openapi.ts';
import type { RouteList } from '../../http/route-list.ts';
import { registerAnchorRoute } from './anchor-route.ts';
import { registerCalendarRoutes } from './calendar/calendar-routes.ts';
import { registerProofHashRoutes } from './hash-routes.ts';
import { registerOtsCalendarRoutes } from './ots/ots-calendar-routes.ts';
import { registerOtsFileRoute } from './ots/ots-file-route.ts';
import { type ProofContext, proofPrefix } from './proof-context.ts';
import { registerProofRoutes } from './proof-routes.ts';

/** Creates the proof part; `routes` is the server's list, for the document. */
export function createProofPart(context: ProofContext, routes: RouteList, publicUrl?: string) {
  return {
    register(app: FastifyInstance): void {
      registerOtsCalendarRoutes(app, context);
      app.register(
        async (scope) => {
          registerProofRoutes(scope, context);
          registerProofHashRoutes(scope, context);
          registerAnchorRoute(scope, context);
          registerCalendarRoutes(scope, context);
          registerOtsFileRoute(scope, context);
          scope.register(
            async (documentScope) =>
              registerDocumentRoute(documentScope, {
                document: 'proofs',
                of: 'the proof service',
                build: () => buildProofDocument(routes, publicUrl),
              }),
            { prefix: '/proof' },
          );
        },
        { prefix: proofPrefix },
      );
    },
  };
}

/** The document of this part; `publicUrl` is what clients call the service. */
export function buildProofDocument(routes: RouteList, publicUrl = ''): Record<string, unknown> {
  return buildOpenApi(
    routes,
    {
      name: 'proofs',
      title: 'Coinfront proof service',
      version: '1.0.0',
      serverUrl: publicUrl + proofPrefix,
      description:
        'Proof of existence: a SHA-256 digest is put into a data-carrier output of a transaction; the block dates it. ' +
        'Files never leave their owner: hash them where they are, and send only the digest.',
    },
    proofPrefix,
  );
}
