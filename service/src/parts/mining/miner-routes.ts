import { MinerList, MinerQuery } from '@coinfront/api/mining.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { registerCall } from '../../http/call-route.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { getWatch } from './get-pool.ts';
import type { MiningContext } from './mining-context.ts';
import { miningExamples } from './mining-examples.ts';
import { describeSource, serialiseMiner } from './serialise-pool.ts';

/** `/pool/miners`. */
export function registerMinerRoute(app: FastifyInstance, context: MiningContext): void {
  registerCall(app, {
    method: 'GET',
    path: '/pool/miners',
    query: MinerQuery,
    response: MinerList,
    cache: 'volatile',
    operation: {
      document: 'chain',
      id: 'listPoolMiners',
      tag: 'Mining',
      summary: 'Miners of a pool',
      description:
        'Highest hashrate first, as the software of the pool says. All pages of a list are of one reading; one that is ' +
        'older than the last two has expired. Sources without a list of miners have no items and `listed` null.',
      errors: ['pool_not_found', 'invalid_cursor', 'cursor_expired'],
      example: miningExamples.miners,
    },
    call({ query }) {
      const watch = getWatch(context, query.source);
      const subject = query.source ?? '';
      const [readAtMs, from = 0] = decodeCursor('pool-miners', subject, query.cursor, 2) ?? [];
      const { readings } = watch.current();
      const reading =
        readAtMs === undefined ? readings[0] : readings.find((each) => each.readAtMs === readAtMs);
      if (readAtMs !== undefined && reading === undefined)
        throw new AppError('cursor_expired', 'The list was read anew since the page before; begin it anew.');
      const all = reading?.minerList;
      const end = from + (query.limit ?? pageLimits.default);
      return {
        ...describeSource(watch, context.now(), reading),
        listed: all?.length ?? null,
        complete: all !== undefined && reading?.isListComplete === true,
        items: (all ?? []).slice(from, end).map(serialiseMiner),
        next_cursor:
          all !== undefined && reading !== undefined && end < all.length
            ? encodeCursor('pool-miners', subject, [reading.readAtMs, end])
            : null,
      };
    },
  });
}
