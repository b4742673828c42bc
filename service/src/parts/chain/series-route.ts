import { Series, SeriesQuery, seriesPoints } from '@coinfront/api/chain-series.ts';
import type { FastifyInstance } from 'fastify';
import { findSpan } from '../../chain/series-span.ts';
import { registerRead } from '../../http/read-route.ts';
import type { ChainContext } from './chain-context.ts';
import { seriesExample } from './examples-series.ts';
import { describePoint, planSeries } from './series-rules.ts';

/** `/series`. */
export function registerSeriesRoute(app: FastifyInstance, context: ChainContext): void {
  const { decimals } = context.profile;
  registerRead(app, context, {
    path: '/series',
    query: SeriesQuery,
    response: Series,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'chain',
      id: 'getSeries',
      tag: 'Blocks',
      summary: 'Figures of the chain over time',
      description:
        'Difficulty, hashrate, intervals, transactions, sizes, fees and supply of a span of blocks, in so many points at most. Each is exact: ' +
        'blocks have the totals of the chain below them, and a point is the difference of two.',
      errors: [],
      example: seriesExample,
    },
    async read({ view, tip, query }) {
      const { from, to } = await findSpan(view, tip, query, '1m');
      const plan = planSeries(from, to, query.points ?? seriesPoints.default);
      const blocks = await view.listBlocksAt([plan.from - 1, ...plan.ends].filter((height) => height >= 0));
      const before = plan.from === 0 ? undefined : blocks.shift();
      return {
        from_height: plan.from,
        to_height: to,
        blocks_per_point: plan.blocksPerPoint,
        points: blocks.map((block, i) => describePoint(blocks[i - 1] ?? before, block, decimals)),
      };
    },
  });
}
