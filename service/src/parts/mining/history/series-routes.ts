import { seriesPoints } from '@coinfront/api/chain-series.ts';
import {
  HashrateSeries,
  type HashrateSeriesJson,
  HashrateSeriesQuery,
  MinerParams,
} from '@coinfront/api/mining-history.ts';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { formatHashrate } from '../../../chain/network-hashrate.ts';
import { registerCall } from '../../../http/call-route.ts';
import { getWatch } from '../get-pool.ts';
import { findMiner } from '../miners/find-miner.ts';
import type { MiningContext } from '../mining-context.ts';
import { miningExamples } from '../mining-examples.ts';
import { describeRates, planRates } from './rate-rules.ts';
import { listRateRows } from './rate-store.ts';

type Query = Static<typeof HashrateSeriesQuery>;

/** `/pool/series` and `/pool/miners/:address/series`. */
export function registerHashrateSeriesRoutes(app: FastifyInstance, context: MiningContext): void {
  registerCall(app, {
    method: 'GET',
    path: '/pool/series',
    query: HashrateSeriesQuery,
    response: HashrateSeries,
    cache: 'volatile',
    cost: 2,
    operation: {
      document: 'chain',
      id: 'getPoolSeries',
      tag: 'Mining',
      summary: 'Hashrate of a pool over time',
      description:
        'What the software of the pool said, as this service kept it: every minute of the last day, means of an hour of 92 days, means of a day of three years. ' +
        'Nothing is filled in: where it was not observed there is no point.',
      errors: ['pool_not_found', 'index_unavailable'],
      example: miningExamples.series,
    },
    async call({ query }) {
      getWatch(context, query.source);
      return await readSeries(context, 'pool', '', query);
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/pool/miners/:address/series',
    params: MinerParams,
    query: HashrateSeriesQuery,
    response: HashrateSeries,
    cache: 'volatile',
    cost: 2,
    operation: {
      document: 'chain',
      id: 'getPoolMinerSeries',
      tag: 'Mining',
      summary: 'Hashrate of a miner over time',
      description:
        'What the list of the pool said of one miner: every five minutes of the last day, means of an hour of 92 days, means of a day of three years. It is kept of the ' +
        '1,000 miners of highest hashrate; those who were seen longest ago are forgotten first. Nothing is filled in.',
      errors: ['pool_not_found', 'miner_not_found', 'miner_ambiguous', 'index_unavailable'],
      example: miningExamples.series,
    },
    async call({ params, query }) {
      const [reading] = getWatch(context, query.source).current().readings;
      const { key } = findMiner(params.address, reading?.minerList ?? [], context.profile);
      return await readSeries(context, 'miner', key, query);
    },
  });
}

async function readSeries(
  { precious, now }: MiningContext,
  whose: 'pool' | 'miner',
  miner: string,
  { source = '', range = '1d', points = seriesPoints.default }: Query,
): Promise<HashrateSeriesJson> {
  const plan = planRates(whose, range, points, Math.floor(now() / 1_000));
  const rows = await listRateRows(precious, { pool: source, miner }, plan.kept, plan.from, plan.to);
  return {
    from: formatS(plan.from),
    to: formatS(plan.to),
    step_seconds: plan.pointSeconds,
    points: describeRates(plan, rows).map(({ atS, rate }) => ({
      time: formatS(atS),
      hashes_per_second: formatHashrate(rate)!,
    })),
  };
}

function formatS(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
