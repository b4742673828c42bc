import { buildOpenApi } from '../../http/openapi.ts';
import type { RouteList } from '../../http/route-list.ts';

const prefix = '/api/v1';

/** The document of tokens; `publicUrl` is what clients call the service. */
export function buildTokenDocument(routes: RouteList, publicUrl = ''): Record<string, unknown> {
  return buildOpenApi(
    routes,
    {
      name: 'tokens',
      title: 'Coinfront tokens',
      version: '1.0.0',
      serverUrl: publicUrl + prefix,
      description:
        'Tokens of an application-layer protocol, derived from confirmed transactions. Descriptions and logos are off-chain: ' +
        'the issuer signs them, and a person reviews them before they are shown.',
    },
    prefix,
  );
}
