/** Schemas of what parts say of themselves over time. */

import Type, { type Static } from 'typebox';
import { seriesPoints, seriesSpan } from './chain-series.ts';
import { Amount, AsOf, Count, Hex, Nullable, Strict, Time } from './common.ts';
import { TokenAmount } from './tokens.ts';

/** Query of the series of a part. */
export const PartSeriesQuery = Strict({
  ...seriesSpan('all'),
  points: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: seriesPoints.max,
      default: seriesPoints.default,
      description: `Points at most; ${seriesPoints.default} unless given.`,
    }),
  ),
});

const Height = Count('A block.');
const MedianTime = Time('Its median time past (BIP-113), which never runs backwards.');

/** Answer of /tok/series. */
export const TokenSeries = Strict(
  {
    as_of: AsOf,
    points: Type.Array(
      Strict(
        {
          height: Height,
          time: MedianTime,
          tokens: Count('Tokens up to one that this block created; others of the same block may follow it.'),
        },
        { title: 'TokenSeriesPoint' },
      ),
      {
        description:
          'Oldest first: where the span begins, then blocks that created tokens, then the last block of the span.',
      },
    ),
  },
  { title: 'TokenSeries' },
);
export type TokenSeriesJson = Static<typeof TokenSeries>;

/** Answer of /tokens/{token_id}/series. */
export const TokenSupplySeries = Strict(
  {
    as_of: AsOf,
    token_id: Hex('The token. 32 bytes, as they are hashed, not reversed.'),
    decimals: Count('Decimals of its amounts.'),
    points: Type.Array(
      Strict(
        {
          height: Height,
          time: MedianTime,
          circulating: TokenAmount('Minted less burned, behind this block.'),
          minted: TokenAmount('All that was minted up to this block.'),
          burned: TokenAmount('All that was burned up to this block.'),
          holders: Count('Addresses with a positive balance behind this block.'),
        },
        { title: 'TokenSupplyPoint' },
      ),
      {
        description:
          'Oldest first: where the span begins, or the block that created the token if that is later; then blocks that changed its supply or number of holders; then the last block of the span. Empty for a span that ends before the token was created.',
      },
    ),
  },
  { title: 'TokenSupplySeries' },
);
export type TokenSupplySeriesJson = Static<typeof TokenSupplySeries>;

/** Answer of the name registry's /series. */
export const NameSeries = Strict(
  {
    as_of: AsOf,
    points: Type.Array(
      Strict(
        {
          height: Height,
          time: MedianTime,
          registered: Count('Names that were registered after this block: owned, and not expired.'),
          names: Count('Names ever registered up to this block.'),
        },
        { title: 'NameSeriesPoint' },
      ),
      {
        description:
          'Oldest first: where the span begins, then blocks that registered names or in which names expired, then the last block of the span.',
      },
    ),
  },
  { title: 'NameSeries' },
);
export type NameSeriesJson = Static<typeof NameSeries>;

/** Answer of the treasury's /series. */
export const TreasurySeries = Strict(
  {
    as_of: Nullable(AsOf),
    points: Type.Array(
      Strict(
        {
          height: Height,
          time: MedianTime,
          balance: Amount('Balance behind this block: `received` less `spent`.'),
          received: Amount('All that came in up to this block. Change of its own spends is none of it.'),
          spent: Amount('All that went out up to this block, fees included, less the change that came back.'),
        },
        { title: 'TreasurySeriesPoint' },
      ),
      {
        description:
          'Oldest first: where the span begins, then blocks that moved coins of the treasury, then the last block of the span that the ledger is kept up to.',
      },
    ),
  },
  { title: 'TreasurySeries' },
);
export type TreasurySeriesJson = Static<typeof TreasurySeries>;
