/** The chain API: schemas of the mempool over time. */

import Type, { type Static } from 'typebox';
import { Count, OneOf, Strict, Time } from './common.ts';

/** Lengths of time, back from now. */
export const historyRanges = ['day', 'week', 'month', 'year'] as const;
export type HistoryRange = (typeof historyRanges)[number];

/** Query of /mempool/history. */
export const MempoolHistoryQuery = Strict({
  range: Type.Optional(OneOf(historyRanges, { description: 'How far back; `day` unless given.' })),
});

/** The mempool in one step of time. */
export const MempoolHistoryPoint = Strict(
  {
    time: Time('Beginning of the step.'),
    tx_count: Count('Transactions that waited.'),
    vsizes: Type.Array(Count('Virtual bytes.'), {
      description: 'Virtual bytes that paid at least each rate of `per_vb`, and less than the next one.',
    }),
  },
  { title: 'MempoolHistoryPoint' },
);

/** Answer of /mempool/history. */
export const MempoolHistory = Strict(
  {
    range: OneOf(historyRanges, { description: 'How far back.' }),
    step_seconds: Count('Length of a step. A step in which the mempool was not observed has no point.'),
    from: Time('Beginning of the first step.'),
    to: Time('End of the last step, which may be under way.'),
    per_vb: Type.Array(Type.String(), {
      description: 'Lower bounds of the fee bands: base units per virtual byte, 3 decimals.',
    }),
    points: Type.Array(MempoolHistoryPoint, { description: 'Oldest first.' }),
  },
  { title: 'MempoolHistory' },
);

export type MempoolHistoryJson = Static<typeof MempoolHistory>;
export type MempoolHistoryPointJson = Static<typeof MempoolHistoryPoint>;
