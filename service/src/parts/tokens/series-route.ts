import { seriesPoints } from '@coinfront/api/chain-series.ts';
import { PartSeriesQuery, TokenSeries } from '@coinfront/api/part-series.ts';
import type { FastifyInstance } from 'fastify';
import { findFirstNumber } from '../../chain/find-first-number.ts';
import { describeBehindBlocks, findSpan, pickEvenly } from '../../chain/series-span.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';
import { findCreatedHeight, getTokenCounts, listCreatedHeights } from './token-store.ts';

/** Points that are there whatever happened: where the span begins and ends. */
const ENDS = 2;

/** `/tok/series`. */
export function registerSeriesRoute(app: FastifyInstance, context: TokenRouteContext): void {
  registerRead(app, context, {
    path: '/tok/series',
    query: PartSeriesQuery,
    response: TokenSeries,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'tokens',
      id: 'getTokenSeries',
      tag: 'Index',
      summary: 'Number of tokens over time',
      description:
        'How many tokens there were, in so many points at most. Tokens are numbered in chain order, so a point is the number of one of them: ' +
        'of many tokens some are picked, as far from one another by number.',
      errors: [],
      example: tokenExamples.series,
    },
    async read({ view, tip, query }) {
      const { tokens } = await getTokenCounts(view.reader);
      const { from, to } = await findSpan(view, tip, query, 'all');
      const findTokenFrom = (height: number) =>
        findFirstNumber(
          0,
          tokens,
          async (number) => ((await findCreatedHeight(view.reader, number)) ?? tip.height) >= height,
        );
      const [first, behind] = [await findTokenFrom(from), await findTokenFrom(to + 1)];
      const picked = pickEvenly(first, behind - 1, (query.points ?? seriesPoints.default) - ENDS);
      /** Tokens after a block: the last one that it created counts. */
      const counts = new Map([[from, first]]);
      for (const { number, height } of await listCreatedHeights(view.reader, picked))
        counts.set(height, number + 1);
      counts.set(to, behind);
      const points = await describeBehindBlocks(view, counts);
      return {
        as_of: describeAsOf(tip),
        points: points.map(({ value: tokens, ...at }) => ({ ...at, tokens })),
      };
    },
  });
}
