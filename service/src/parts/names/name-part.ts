/** The name registry: reads, payloads to sign, and their own OpenAPI document. */

import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import type { FastifyInstance } from 'fastify';
import { registerDocumentRoute } from '../../http/document-route.ts';
import { buildOpenApi } from '../../http/openapi.ts';
import type { RouteList } from '../../http/route-list.ts';
import { registerEncodeRoutes } from './encode/encode-routes.ts';
import { registerNameListRoutes } from './list-routes.ts';
import { namePrefix } from './name-context.ts';
import { registerNameRoutes } from './name-routes.ts';
import { registerNameStatusRoutes } from './name-status-routes.ts';
import { type RecordContext, registerNameRecordRoutes } from './records/record-routes.ts';
import { registerNameReverseRoutes } from './reverse-routes.ts';
import { registerNameSeriesRoute } from './series-route.ts';
import { registerNameTimelineRoute } from './timeline-route.ts';
import { registerWellKnownNames } from './well-known-route.ts';

/** What the part is given; the rules are the profile's. */
export type NamePartContext = Omit<RecordContext, 'rules' | 'genesisPrefix'>;

/** Creates the part; a coin without a registry has none of its routes. `routes` is the server's list, for the document. */
export function createNamePart(context: NamePartContext, routes: RouteList, publicUrl?: string) {
  const { profile } = context;
  return {
    register(app: FastifyInstance): void {
      const { names: rules } = profile;
      if (rules === undefined) return;
      registerWellKnownNames(app, { profile, rules, publicUrl });
      app.register(
        async (scope) => {
          const routeContext = { ...context, rules, genesisPrefix: genesisPrefix(profile) };
          registerNameStatusRoutes(scope, routeContext);
          registerNameSeriesRoute(scope, routeContext);
          registerNameRoutes(scope, routeContext);
          registerNameListRoutes(scope, routeContext);
          registerNameTimelineRoute(scope, routeContext);
          registerNameReverseRoutes(scope, routeContext);
          registerNameRecordRoutes(scope, routeContext);
          registerEncodeRoutes(scope, routeContext);
          registerDocumentRoute(scope, {
            document: 'names',
            of: 'the name registry',
            build: () => buildNameDocument(routes, publicUrl),
          });
        },
        { prefix: namePrefix },
      );
    },
  };
}

/** The document of this part; `publicUrl` is what clients call the service. */
export function buildNameDocument(routes: RouteList, publicUrl = ''): Record<string, unknown> {
  return buildOpenApi(
    routes,
    {
      name: 'names',
      title: 'Coinfront name registry',
      version: '1.0.0',
      serverUrl: publicUrl + namePrefix,
      description:
        'Names of the form label.tld, kept in data-carrier outputs of the chain and derived from it by public rules. ' +
        'Owners sign with their own wallets: no key is ever sent here.',
    },
    namePrefix,
  );
}
