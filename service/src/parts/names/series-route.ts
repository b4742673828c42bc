import { seriesPoints } from '@coinfront/api/chain-series.ts';
import { NameSeries, PartSeriesQuery } from '@coinfront/api/part-series.ts';
import type { FastifyInstance } from 'fastify';
import { findFirstNumber } from '../../chain/find-first-number.ts';
import { describeBehindBlocks, findSpan, pickEvenly } from '../../chain/series-span.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import type { NameRouteContext } from './name-context.ts';
import { nameExamples } from './name-examples.ts';
import { countNameChanges, findNameCount, listNameCounts, type NameCount } from './name-store.ts';

/** Points that are there whatever happened: where the span begins and ends. */
const ENDS = 2;
/** Before the first name. */
const NONE: Pick<NameCount, 'registered' | 'names'> = { registered: 0, names: 0 };

/** `/series`. */
export function registerNameSeriesRoute(app: FastifyInstance, context: NameRouteContext): void {
  registerRead(app, context, {
    path: '/series',
    query: PartSeriesQuery,
    response: NameSeries,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'names',
      id: 'getNameSeries',
      tag: 'Registry',
      summary: 'Number of names over time',
      description:
        'How many names were registered, in so many points at most. Each is exact: the blocks that changed the number are kept with it, ' +
        'and of many such blocks some are picked.',
      errors: [],
      example: nameExamples.series,
    },
    async read({ view, tip, query }) {
      const { reader } = view;
      const changes = await countNameChanges(reader);
      const { from, to } = await findSpan(view, tip, query, 'all');
      const findChangeFrom = (height: number) =>
        findFirstNumber(
          0,
          changes,
          async (number) => (await findNameCount(reader, number))!.height >= height,
        );
      const [first, behind] = [await findChangeFrom(from), await findChangeFrom(to + 1)];
      const picked = pickEvenly(first, behind - 1, (query.points ?? seriesPoints.default) - ENDS);
      const counts = new Map([[from, (await findNameCount(reader, first - 1)) ?? NONE]]);
      for (const count of await listNameCounts(reader, picked)) counts.set(count.height, count);
      counts.set(to, (await findNameCount(reader, behind - 1)) ?? NONE);
      const points = await describeBehindBlocks(view, counts);
      return {
        as_of: describeAsOf(tip),
        points: points.map(({ value: { registered, names }, ...at }) => ({ ...at, registered, names })),
      };
    },
  });
}
