import { type HistoryRange, MempoolHistory, MempoolHistoryQuery } from '@coinfront/api/mempool-history.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall, type WrittenJson } from '../../../http/call-route.ts';
import type { ChainContext } from '../chain-context.ts';
import { mempoolHistoryExample } from '../examples-mempool.ts';

/** An answer is kept for so long: many who look at once are one reading, and longer steps end seldom. */
const keptMs: Readonly<Record<HistoryRange, number>> = {
  day: 5_000,
  week: 30_000,
  month: 60_000,
  year: 300_000,
};

/** `/mempool/history`. */
export function registerMempoolHistoryRoute(
  app: FastifyInstance,
  { readMempoolHistory }: Pick<ChainContext, 'readMempoolHistory'>,
): void {
  const kept = new Map<HistoryRange, { untilMs: number; answer: Promise<WrittenJson> }>();

  const write = async (range: HistoryRange): Promise<WrittenJson> => {
    const history = await readMempoolHistory(range);
    // Whoever looks at a service that has just begun waits for the first point.
    if (history.points.length === 0) kept.delete(range);
    return { writtenJson: JSON.stringify(history), forms: new Map() };
  };

  registerCall(app, {
    method: 'GET',
    path: '/mempool/history',
    query: MempoolHistoryQuery,
    response: MempoolHistory,
    cache: 'volatile',
    cost: 2,
    operation: {
      document: 'chain',
      id: 'getMempoolHistory',
      tag: 'Fees',
      summary: 'The mempool over time by fee rate',
      description:
        'How much waited at which fee rates, as this service saw it: every minute of the last day, every ten minutes of a week, every hour ' +
        'of a month, means of six hours of a year. A step without a point was not observed: the service was down, or did not know all of the mempool.',
      errors: ['index_unavailable'],
      example: mempoolHistoryExample,
    },
    async call({ query }) {
      const range = query.range ?? 'day';
      const nowMs = performance.now();
      const found = kept.get(range);
      if (found !== undefined && nowMs < found.untilMs) return await found.answer;
      const answer = write(range);
      kept.set(range, { untilMs: nowMs + keptMs[range], answer });
      answer.catch(() => kept.delete(range));
      return await answer;
    },
  });
}
