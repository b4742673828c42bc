/** The chain API: schemas of figures of the chain over time. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Nullable, OneOf, SignedAmount, Strict, Time } from './common.ts';

/** Lengths that a chart has by a name, back from the tip's median time. */
export const seriesRanges = ['1d', '3d', '1w', '1m', '3m', '6m', '1y', '3y', 'all'] as const;
export type SeriesRange = (typeof seriesRanges)[number];

/** Points of an answer. */
export const seriesPoints = { default: 300, max: 500 } as const;

/**
 * Parameters that choose blocks for a series: a range back from the tip, or heights.
 *
 * @param usual the range unless anything is given
 */
export const seriesSpan = (usual: SeriesRange) => ({
  range: Type.Optional(
    OneOf(seriesRanges, {
      description: `How far back from the tip, by median time past; \`${usual}\` unless given. Only where no height is given. \`1m\` is 30 days, \`1y\` is 365.`,
    }),
  ),
  from_height: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 999_999_999, description: 'First block; genesis unless given.' }),
  ),
  to_height: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 999_999_999, description: 'Last block; the tip unless given.' }),
  ),
});

/** Query of /series. */
export const SeriesQuery = Strict({
  ...seriesSpan('1m'),
  points: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: seriesPoints.max,
      default: seriesPoints.default,
      description: `Points at most; ${seriesPoints.default} unless given.`,
    }),
  ),
});

const Rate = (share: string) =>
  Type.String({
    description: `Fee rate that ${share} of the weight of a block pays at most, without its coinbase and the HogEx of Litecoin: base units per virtual byte, 3 decimals. Where the point has several blocks, the mean of theirs, rounded down; blocks with a coinbase only do not count.`,
  });

/** Some blocks in a row, as one point of a line. */
export const SeriesPoint = Strict(
  {
    height: Count('The last of its blocks.'),
    blocks: Count('How many blocks it stands for.'),
    time: Time('Median time past of the last of its blocks (BIP-113), which never runs backwards.'),
    block_interval_seconds: Nullable(
      Type.Number({
        description:
          'Mean time that its blocks took, by median times. Null for the point that begins with genesis: nothing says how long that took.',
      }),
    ),
    difficulty: Type.Number({ description: 'Difficulty of the last of its blocks.' }),
    hashes_per_second: Nullable(
      Type.String({
        description:
          'Work of its blocks by the time that they took, 3 decimals. Null where the median times are the same, and for the point that begins with genesis.',
      }),
    ),
    tx_count: Count('Transactions of its blocks, coinbases included.'),
    size: Count('Bytes of its blocks with witnesses.'),
    weight: Count('Weight units of its blocks (BIP-141).'),
    fees: Amount('Fees that its transactions pay.'),
    per_vb: Type.String({
      description: 'Fees by the virtual bytes of its blocks: base units, 3 decimals, rounded down.',
    }),
    fee_rates: Nullable(
      Strict(
        {
          p10: Rate('10 %'),
          p25: Rate('25 %'),
          median: Rate('half'),
          p75: Rate('75 %'),
          p90: Rate('90 %'),
        },
        {
          title: 'SeriesFeeRates',
          description:
            'Fee rates by share of the weight of a block. Null where no block has more than its coinbase.',
        },
      ),
    ),
    issued: SignedAmount('New coins of its blocks.'),
    supply: Amount('Coins made up to its last block.'),
    utxo_count: Count('Unspent outputs after its last block.'),
  },
  { title: 'SeriesPoint' },
);

/** Answer of /series. */
export const Series = Strict(
  {
    from_height: Count('First block that a point stands for: what was asked, down to a whole point.'),
    to_height: Count('Last block.'),
    blocks_per_point: Count(
      '1, 2 or 5 times a power of ten, and points end at multiples of it: the same blocks are together in each answer. The last point may have fewer.',
    ),
    points: Type.Array(SeriesPoint, { description: 'Oldest first.' }),
  },
  { title: 'Series' },
);

export type SeriesJson = Static<typeof Series>;
export type SeriesPointJson = Static<typeof SeriesPoint>;
