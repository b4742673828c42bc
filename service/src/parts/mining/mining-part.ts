/** The mining part: the public pool, its miners and its blocks. Its operations are part of the chain's document. */

import type { FastifyInstance } from 'fastify';
import { registerPoolBlockRoute } from './block-routes.ts';
import { registerFindersRoute } from './finders/finders-route.ts';
import { registerHashrateSeriesRoutes } from './history/series-routes.ts';
import { registerLuckRoute } from './luck/luck-route.ts';
import { registerMinerRoute } from './miner-routes.ts';
import { registerMinerPageRoute } from './miners/miner-page-route.ts';
import { type MiningContext, miningPrefix } from './mining-context.ts';
import { registerPoolRoute } from './pool-routes.ts';
import { registerPoolReportRoute } from './reports-route.ts';

/** Creates the mining part. */
export function createMiningPart(context: MiningContext) {
  return {
    register(app: FastifyInstance): void {
      app.register(
        async (scope) => {
          registerPoolRoute(scope, context);
          registerMinerRoute(scope, context);
          registerMinerPageRoute(scope, context);
          registerHashrateSeriesRoutes(scope, context);
          registerLuckRoute(scope, context);
          registerFindersRoute(scope, context);
          registerPoolBlockRoute(scope, context);
          registerPoolReportRoute(scope, context);
        },
        { prefix: miningPrefix },
      );
    },
  };
}
