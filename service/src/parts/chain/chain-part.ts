/** The chain part: `/api/v1` reads of blocks, transactions, addresses, supply, fees; broadcast; its document. */

import type { FastifyInstance } from 'fastify';
import { registerDocumentRoute } from '../../http/document-route.ts';
import { buildOpenApi } from '../../http/openapi.ts';
import type { RouteList } from '../../http/route-list.ts';
import { registerAddressHistoryRoutes } from './address-history-routes.ts';
import { registerAddressRoutes } from './address-routes.ts';
import { registerBatchRoute } from './batch-route.ts';
import { registerBlockFeesRoute } from './block-fees-route.ts';
import { registerBlockRoutes } from './block-routes.ts';
import { registerBlockSummaryRoute } from './block-summary-route.ts';
import { registerBlockTransactionsRoute } from './block-transactions-route.ts';
import { registerBroadcastRoute } from './broadcast-route.ts';
import { type ChainContext, chainPrefix } from './chain-context.ts';
import { registerFeeRoutes } from './fee-routes.ts';
import { registerHealthRoute } from './health-route.ts';
import { registerMempoolHistoryRoute } from './mempool-history/history-route.ts';
import { registerMiningRoutes } from './mining-routes.ts';
import { registerProjectedBlockRoute } from './projected-block-route.ts';
import { registerReleaseRoute } from './release-route.ts';
import { registerRichListRoutes } from './rich-list/rich-list-routes.ts';
import { registerSearchRoute } from './search-route.ts';
import { registerSeriesRoute } from './series-route.ts';
import { registerStaleBlocksRoute } from './stale-blocks-route.ts';
import { registerStateRoutes } from './state-routes.ts';
import { registerSuggestionRoute } from './suggestion-route.ts';
import { registerSupplyRoutes } from './supply-routes.ts';
import { registerTxMempoolRoute } from './tx-mempool-route.ts';
import { registerTxRoutes } from './tx-routes.ts';
import { registerWalletRoutes } from './wallets/wallet-routes.ts';

/** A part that can be put on a server. */
export type Part = { register(app: FastifyInstance): void };

/** Creates the chain part; `routes` is the server's list, for the document. */
export function createChainPart(context: ChainContext, routes: RouteList, publicUrl?: string): Part {
  return {
    register(app) {
      app.register(
        async (scope) => {
          registerHealthRoute(scope, context);
          registerStateRoutes(scope, context);
          registerBlockRoutes(scope, context);
          registerBlockFeesRoute(scope, context);
          registerBlockSummaryRoute(scope, context);
          registerBlockTransactionsRoute(scope, context);
          registerStaleBlocksRoute(scope, context);
          registerSeriesRoute(scope, context);
          registerTxRoutes(scope, context);
          registerTxMempoolRoute(scope, context);
          registerAddressRoutes(scope, context);
          registerAddressHistoryRoutes(scope, context);
          registerSearchRoute(scope, context);
          registerSuggestionRoute(scope, context);
          registerSupplyRoutes(scope, context);
          registerRichListRoutes(scope, context);
          registerFeeRoutes(scope, context);
          registerMempoolHistoryRoute(scope, context);
          registerProjectedBlockRoute(scope, context);
          registerMiningRoutes(scope, context);
          registerBroadcastRoute(scope, context);
          registerReleaseRoute(scope, context);
          registerBatchRoute(scope, context);
          registerWalletRoutes(scope, context);
          registerDocumentRoute(scope, {
            document: 'chain',
            of: 'the chain API',
            build: () => buildChainDocument(routes, chainApiVersion, publicUrl),
          });
        },
        { prefix: chainPrefix },
      );
    },
  };
}

/** The document of the chain API; `publicUrl` is what clients call the service. */
export function buildChainDocument(
  routes: RouteList,
  version: string,
  publicUrl = '',
): Record<string, unknown> {
  return buildOpenApi(
    routes,
    {
      name: 'chain',
      title: 'Coinfront chain API',
      version,
      serverUrl: publicUrl + chainPrefix,
      description: documentDescription,
    },
    chainPrefix,
  );
}

/** Version of the interface: it changes with its shapes, not with each release of the service. */
export const chainApiVersion = '1.0.0';

const documentDescription = `
Blocks, transactions, addresses, supply and fees of one coin, read from an index that follows a node.

- Amounts are decimal strings of coins with all of the coin's decimals ("0.50000000"), never numbers.
- Hashes and txids are 64 hex digits in the usual, reversed order. Times are UTC, ISO 8601.
- Lists are \`{ items, next_cursor }\`: \`limit\` items (25 unless given, 100 at most); follow \`next_cursor\` until it is null.
- A response that is read from the chain comes from one snapshot of tip and mempool and names it in \`X-Chain-Height\`,
  \`X-Chain-Tip\` and \`ETag\`; \`If-None-Match\` gets 304 while nothing has changed.
- Errors are RFC 9457 problem documents; branch on \`code\`.
- Each client address has a budget of request units a minute (see \`/config\`; \`RateLimit-*\` headers tell what is left).
- No private key is ever accepted: a request that holds a WIF key, an extended private key or a mnemonic is refused.
`.trim();
