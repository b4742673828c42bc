import { seriesPoints } from '@coinfront/api/chain-series.ts';
import { PartSeriesQuery, TreasurySeries } from '@coinfront/api/part-series.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { FastifyInstance } from 'fastify';
import { describeBehindBlocks, findSpan, pickEvenly } from '../../../chain/series-span.ts';
import { registerCall } from '../../../http/call-route.ts';
import { describeCursor } from '../contributors/serialise-contributor.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { createBalanceReader } from './balance-reader.ts';
import { type BalanceStep, countStepsUpTo } from './balance-steps.ts';

/** Points that are there whatever happened: where the span begins, and its end or that of the ledger. */
const ENDS = 2;
/** Before the first entry. */
const NOTHING: Omit<BalanceStep, 'height'> = { balance: 0n, received: 0n };

/** `GET /series`. */
export function registerSeriesRoute(app: FastifyInstance, context: TreasuryContext): void {
  const { precious, readChain, profile } = context;
  const balances = createBalanceReader(precious);

  registerCall(app, {
    method: 'GET',
    path: '/series',
    query: PartSeriesQuery,
    response: TreasurySeries,
    cache: 'volatile',
    cost: 2,
    operation: {
      document: 'treasury',
      id: 'getTreasurySeries',
      tag: 'Ledger',
      summary: 'Balance of the treasury and its flow over time',
      description:
        'The balance of the treasury behind each block that changed it, and all that came in and went out until then, in so many points ' +
        'at most. Two points tell the flow between them. Of many such blocks some are picked, ' +
        'as far from one another by number. Blocks that left the chain count for nothing; notes, and what is said later of whose a gift ' +
        'is, change no balance.',
      errors: ['index_unavailable', 'treasury_not_configured'],
      example: treasuryExamples.series,
    },
    async call({ query }) {
      const read = await balances.read();
      if (read === undefined) return { as_of: null, points: [] };
      const { cursor, steps } = read;
      const points = await readChain(async (view) => {
        if (view.tip === undefined) return [];
        const { from, to } = await findSpan(view, view.tip, query, 'all');
        const end = Math.min(cursor.height, to);
        const start = Math.min(from, end);
        const [before, upTo] = [countStepsUpTo(steps, start), countStepsUpTo(steps, end)];
        const picked = pickEvenly(before, upTo - 1, (query.points ?? seriesPoints.default) - ENDS);
        const shown = new Map([[start, steps[before - 1] ?? NOTHING]]);
        for (const at of picked) shown.set(steps[at]!.height, steps[at]!);
        shown.set(end, steps[upTo - 1] ?? NOTHING);
        const points = await describeBehindBlocks(view, shown);
        return points.map(({ value: { balance, received }, ...at }) => ({
          ...at,
          balance: formatAmount(balance, profile.decimals),
          received: formatAmount(received, profile.decimals),
          spent: formatAmount(received - balance, profile.decimals),
        }));
      });
      return { as_of: describeCursor(cursor), points };
    },
  });
}
