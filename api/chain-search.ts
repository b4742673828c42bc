/** The chain API: schemas of the search. */

import Type, { type Static } from 'typebox';
import { OneOf, Strict } from './common.ts';

/** Characters of what is searched for: a payment URI may have a long message. */
export const mostSearched = 1_000;

/** Query of /search. */
export const SearchQuery = Strict({
  q: Type.String({
    minLength: 1,
    maxLength: mostSearched,
    description:
      'A height, block hash, txid, outpoint, address, payment URI, name, token, digest or payment.',
  }),
});

/** What a search can find. Later parts add kinds. */
export const searchKinds = ['block', 'transaction', 'address', 'name', 'token', 'proof', 'payment'] as const;

/** Answer of /search. */
export const SearchResult = Strict(
  {
    items: Type.Array(
      Strict(
        {
          kind: OneOf(searchKinds, { description: 'What was found.' }),
          id: Type.String({ description: 'Its identifier in the usual form.' }),
          path: Type.String({ description: 'Where to read it, below the base address of the service.' }),
        },
        { title: 'SearchHit' },
      ),
      { description: 'Best first; empty when nothing matches.' },
    ),
  },
  { title: 'SearchResult' },
);

export type SearchResultJson = Static<typeof SearchResult>;
