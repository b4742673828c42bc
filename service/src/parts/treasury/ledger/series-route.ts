import { seriesPoints } from '@coinfront/api/chain-series.ts';
import { PartSeriesQuery, TreasurySeries, type TreasurySeriesJson } from '@coinfront/api/part-series.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { FastifyInstance } from 'fastify';
import type { ChainView } from '../../../chain/chain-view.ts';
import { findFirstNumber } from '../../../chain/find-first-number.ts';
import { findRangeStart, pickEvenly } from '../../../chain/series-span.ts';
import { registerCall } from '../../../http/call-route.ts';
import { describeCursor } from '../contributors/serialise-contributor.ts';
import type { TreasuryTables } from '../schema/treasury-tables.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { findBalanceAfter, findCursor, listBalancesAfter } from './ledger-store.ts';

/** Points that are there whatever happened: where the range begins, and the end of the ledger. */
const ENDS = 2;

/** `GET /series`. */
export function registerSeriesRoute(app: FastifyInstance, context: TreasuryContext): void {
  const { precious, readChain, profile } = context;

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
      summary: 'Balance of the treasury over time',
      description:
        'The balance of the ledger, in so many points at most. Of many entries some are picked, as far from one another by number. An entry ' +
        'of a block that left the chain counts until the reversal behind it.',
      errors: ['index_unavailable', 'treasury_not_configured'],
      example: treasuryExamples.series,
    },
    async call({ query }) {
      const db = precious.query<TreasuryTables>();
      const cursor = await findCursor(db);
      if (cursor === undefined || cursor.height < 0) return { as_of: null, points: [] };
      const points = await readChain(async (view) => {
        if (view.tip === undefined) return [];
        const end = Math.min(cursor.height, view.tip.height);
        const start = Math.min(await findRangeStart(view, view.tip, query.range ?? 'all'), end);
        const first = await findFirstNumber(
          1,
          cursor.sequence + 1,
          async (sequence) => ((await findBalanceAfter(db, sequence))?.height ?? end) >= start,
        );
        const picked = pickEvenly(first, cursor.sequence, (query.points ?? seriesPoints.default) - ENDS);
        const before = await findBalanceAfter(db, first - 1);
        /** Balances after blocks: the last entry of each counts. */
        const balances = new Map([[start, before?.balance ?? '0']]);
        for (const { height, balance } of await listBalancesAfter(db, picked))
          balances.set(Math.min(Math.max(height, start), end), balance);
        balances.set(end, cursor.balance);
        return await describePoints(view, balances, profile.decimals);
      });
      return { as_of: describeCursor(cursor), points };
    },
  });
}

async function describePoints(
  view: ChainView,
  balances: ReadonlyMap<number, string>,
  decimals: number,
): Promise<TreasurySeriesJson['points']> {
  const blocks = await view.listBlocksAt([...balances.keys()].sort((a, b) => a - b));
  return blocks.map(({ height, medianTimePast }) => ({
    height,
    time: new Date(medianTimePast * 1_000).toISOString(),
    balance: formatAmount(BigInt(balances.get(height)!), decimals),
  }));
}
