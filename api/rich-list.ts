/** The chain API: schemas of the richest addresses, and of how many have how much. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Nullable, Strict, Time } from './common.ts';
import { NextCursor, PageQuery } from './paging.ts';

const Ppm = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description });

const listFields = {
  as_of: Strict(
    { height: Count('Height of the block.'), hash: Hash('Its hash.') },
    { title: 'RichListBlock', description: 'The block as of which all of it is true.' },
  ),
  made_at: Time('When the list was made.'),
  stale: Type.Boolean({
    description: 'True where that block has left the best chain since. A new list is made then.',
  }),
};

/** Query of /rich. */
export const RichListQuery = PageQuery;

/** One of the richest. */
export const RichAddress = Strict(
  {
    rank: Count('1 for the richest.'),
    address: Nullable(Type.String({ description: 'Null where the script has no address.' })),
    script_type: Type.String({ description: 'What kind of script it is.' }),
    script_hash: Hash('SHA-256 of the script, as the Esplora API takes it.'),
    balance: Amount('What it has, confirmed.'),
    utxo_count: Count('In so many unspent outputs.'),
    share_ppm: Ppm('Its share of all that is unspent, in millionths, rounded down.'),
  },
  { title: 'RichAddress' },
);

/** Answer of /rich. */
export const RichListView = Strict(
  {
    ...listFields,
    items: Type.Array(RichAddress, { description: 'The richest first.' }),
    next_cursor: NextCursor,
  },
  { title: 'RichList' },
);

/** Answer of /rich/distribution. */
export const BalanceDistribution = Strict(
  {
    ...listFields,
    addresses: Count(
      'How many have something. An address is a script here, whether it has an address or not.',
    ),
    balance: Amount('What they have in all.'),
    bands: Type.Array(
      Strict(
        {
          from: Amount('The least balance of the band.'),
          below: Amount('The first balance that is above the band.'),
          addresses: Count('How many have so much.'),
          balance: Amount('What they have in all.'),
        },
        { title: 'BalanceBand' },
      ),
      { description: 'By powers of ten, the poorest first; without gaps.' },
    ),
    largest: Type.Array(
      Strict(
        {
          size: Count('The richest so many.'),
          addresses: Count('How many these are: fewer where there are not as many.'),
          balance: Amount('What they have in all.'),
          share_ppm: Ppm(
            'Their share of all that is unspent, in millionths, rounded down; 0 where nothing is.',
          ),
        },
        { title: 'RichestShare' },
      ),
      { description: 'The richest 1, 10, 100 and 1,000.' },
    ),
  },
  { title: 'BalanceDistribution' },
);

export type RichListJson = Static<typeof RichListView>;
export type BalanceDistributionJson = Static<typeof BalanceDistribution>;
