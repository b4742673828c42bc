import { buildOpenApi } from '../../http/openapi.ts';
import type { RouteList } from '../../http/route-list.ts';
import { treasuryApiVersion, treasuryPrefix } from './treasury-context.ts';

/** The document of this part; `publicUrl` is what clients call the service. */
export function buildTreasuryDocument(routes: RouteList, publicUrl = ''): Record<string, unknown> {
  return buildOpenApi(
    routes,
    {
      name: 'treasury',
      title: 'Coinfront treasury',
      version: treasuryApiVersion,
      serverUrl: publicUrl + treasuryPrefix,
      description:
        'A public treasury whose ledger is reconciled with the chain, and the attribution of contributions to pseudonyms. ' +
        'Nobody is credited for naming a transaction: it has to carry the tag of an intent, or its exact amount. A ' +
        'contributor secret is a password, no key of coins; keys are never sent here.',
    },
    treasuryPrefix,
  );
}
