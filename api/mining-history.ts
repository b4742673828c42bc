/** Mining: schemas of what a pool, its miners and its luck were over time, and of one miner. What is not known is null or has no point. */

import Type, { type Static } from 'typebox';
import { seriesPoints, seriesRanges } from './chain-series.ts';
import { Amount, Count, Nullable, OneOf, Strict, Time, TxidParameter } from './common.ts';
import { HashrateList, PoolNameParameter, Ratio, sourceFields } from './mining.ts';

/** Query of what belongs to one pool. */
export const PoolSourceQuery = Strict({ source: Type.Optional(PoolNameParameter) });

/** Path of one miner. */
export const MinerParams = Strict({
  address: Type.String({
    minLength: 1,
    maxLength: 120,
    description:
      'The whole address; or as the list of miners shortens it (beginning…end); or at least the first 6 characters of what the list shows.',
  }),
});

/** Query of the series of a pool and of its miners. */
export const HashrateSeriesQuery = Strict({
  source: Type.Optional(PoolNameParameter),
  range: Type.Optional(
    OneOf(seriesRanges, {
      description:
        'How far back from now; `1d` unless given. `1m` is 30 days, `1y` is 365. A day has steps of minutes, up to 30 days of an hour, longer ones of a day.',
    }),
  ),
  points: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: seriesPoints.max,
      default: seriesPoints.default,
      description: `Points at most; ${seriesPoints.default} unless given.`,
    }),
  ),
});

const SeriesPoints = Type.Array(
  Strict(
    {
      time: Time('Where its stretch of time begins.'),
      hashes_per_second: Type.String({
        pattern: '^[0-9]+\\.[0-9]{3}$',
        description: 'Mean of what the pool said in it, a decimal number; five digits of it are kept.',
      }),
    },
    { title: 'HashratePoint' },
  ),
  {
    description:
      'Oldest first. A stretch without a point was not observed: the pool did not answer, did not say, or the service was down.',
  },
);

/** Answer of the series of a pool and of its miners. */
export const HashrateSeries = Strict(
  {
    from: Time('Where the first stretch begins.'),
    to: Time('Where the last one ends.'),
    step_seconds: Count('Length of the stretch that a point stands for.'),
    points: SeriesPoints,
  },
  { title: 'HashrateSeries' },
);
export type HashrateSeriesJson = Static<typeof HashrateSeries>;

const Worker = Strict(
  {
    name: Nullable(
      Type.String({
        description: 'As its owner named it; null where it has no name, or none that can be shown.',
      }),
    ),
    hashrates: HashrateList,
    best_share: Ratio('Highest difficulty of a share.'),
    last_share_at: Nullable(Time('When its last share came.')),
  },
  { title: 'MinerWorker' },
);

/** Answer of /pool/miners/{address}. */
export const MinerDetail = Strict(
  {
    ...sourceFields,
    asked_at: Nullable(
      Time(
        'When the pool was asked for this miner, or said so by itself. Null when it did not answer: what only that answer has is null, too.',
      ),
    ),
    address: Type.String({
      description: 'The address: whole where it was asked for as a whole, otherwise as the list shows it.',
    }),
    listed: Nullable(
      Type.Boolean({
        description:
          'Whether the pool lists this miner. Null where its list is not complete, or there is none.',
      }),
    ),
    hashrates: HashrateList,
    workers: Nullable(Count('Connected machines.')),
    best_share: Ratio('Highest difficulty of a share.'),
    last_share_at: Nullable(Time('When its last share came.')),
    shares: Strict(
      {
        accepted: Ratio('Sum of the difficulties of accepted shares, as far back as the pool counts.'),
        rejected: Ratio('The same of rejected ones.'),
        pending: Ratio('Shares that the next payout counts.'),
      },
      { title: 'MinerShares' },
    ),
    balance: Strict(
      {
        pending: Nullable(Amount('What the pool owes the miner.')),
        paid: Nullable(Amount('What it says it has paid.')),
        paid_today: Nullable(Amount('Of this today.')),
        last_payment_at: Nullable(Time('When it paid last.')),
      },
      {
        title: 'MinerBalance',
        description:
          'As the pool says. A solo pool owes nothing: its blocks pay their finder, see /mining/address/{address}.',
      },
    ),
    payments: Nullable(
      Type.Array(
        Strict(
          {
            time: Nullable(Time('When the pool made it.')),
            amount: Amount('What it paid.'),
            txid: Nullable(TxidParameter),
          },
          { title: 'MinerPayment' },
        ),
        {
          description:
            'The latest 25 that the pool says it made, newest first. Null where it keeps none, or did not say.',
        },
      ),
    ),
    worker_list: Nullable(
      Type.Array(Worker, {
        description:
          'At most 100 machines, highest hashrate first. Null where the pool does not say; where it publishes no list of its miners, only who gives the whole address is told.',
      }),
    ),
  },
  { title: 'MinerDetail' },
);
export type MinerDetailJson = Static<typeof MinerDetail>;
