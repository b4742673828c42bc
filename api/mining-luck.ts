/** Mining: schemas of a pool's luck, and of who finds the blocks of the chain. */

import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Nullable, Strict, Time } from './common.ts';
import { EffortSource, Ratio } from './mining.ts';

/** Blocks of the luck at most. */
export const luckBlocks = { default: 100, max: 500 } as const;

/** Query of /pool/luck. */
export const PoolLuckQuery = Strict({
  blocks: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: luckBlocks.max,
      default: luckBlocks.default,
      description: `So many latest blocks of the pool; ${luckBlocks.default} unless given.`,
    }),
  ),
});

/** Answer of /pool/luck. */
export const PoolLuck = Strict(
  {
    as_of: AsOf,
    windows: Type.Array(
      Strict(
        {
          blocks: Count('So many latest blocks of the pool, fewer where it has not found as many.'),
          known: Count('Of these, blocks whose effort is known.'),
          effort: Ratio('Mean effort of those. Null of none.'),
          luck: Ratio('1 / effort: above 1 is lucky.'),
        },
        { title: 'LuckWindow' },
      ),
      { description: 'Over the latest 10, 50, 100 and 500 blocks.' },
    ),
    points: Type.Array(
      Strict(
        {
          height: Count('A block of the pool that keeps the published split.'),
          hash: Hash('Its hash.'),
          time: Time('What its miner wrote into the header.'),
          effort: Ratio('Effort that it took.'),
          effort_source: EffortSource,
          luck: Ratio('1 / effort.'),
          mean_luck: Ratio('Luck over this block and the nine before it, of those that are known.'),
        },
        { title: 'LuckPoint' },
      ),
      { description: 'Oldest first.' },
    ),
  },
  { title: 'PoolLuck' },
);
export type PoolLuckJson = Static<typeof PoolLuck>;

/** Blocks of the chain that finders are counted in. */
export const finderBlocks = { default: 144, max: 500 } as const;

/** Query of /mining/pools. */
export const FinderQuery = Strict({
  blocks: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: finderBlocks.max,
      default: finderBlocks.default,
      description: `So many latest blocks; ${finderBlocks.default} unless given.`,
    }),
  ),
});

const Finder = Strict(
  {
    tag: Nullable(
      Type.String({
        description: 'Text that their coinbases have; anybody can write it. Null where they have none.',
      }),
    ),
    address: Nullable(
      Type.String({
        description:
          'Who is paid most by their coinbases: for blocks without a tag, what they are counted by; with a tag, where all of them pay the same. Null otherwise.',
      }),
    ),
    is_pool: Type.Boolean({ description: 'Whether the tag has that of the public pool of the coin.' }),
    blocks: Count('Blocks.'),
    share: Type.Number({ minimum: 0, maximum: 1, description: 'Of the blocks that were looked at.' }),
    paid: Amount('What their coinbases pay.'),
    last_height: Count('The latest of them.'),
    last_time: Time('Its header time.'),
  },
  { title: 'BlockFinder' },
);

/** Answer of /mining/pools. */
export const FinderList = Strict(
  {
    as_of: AsOf,
    blocks: Count('Blocks that were looked at; fewer on a shorter chain.'),
    from_height: Count('The first of them.'),
    finders: Count('How many tags and addresses they have.'),
    items: Type.Array(Finder, { description: 'Most blocks first; at most 100.' }),
  },
  { title: 'BlockFinderList' },
);
export type FinderListJson = Static<typeof FinderList>;
export type FinderJson = Static<typeof Finder>;
