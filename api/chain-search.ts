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

/** Characters of what suggestions are asked for: more than any name or ticker has. */
export const mostSuggestedFor = 100;

/** Query of /search/suggestions. */
export const SuggestionQuery = Strict({
  q: Type.String({
    minLength: 1,
    maxLength: mostSuggestedFor,
    description: 'The first characters of a name or a ticker, in upper or lower case.',
  }),
});

/** Things that an answer of /search/suggestions has of one kind. */
export const mostSuggested = 5;

/** What can be suggested by its first characters. Later parts add kinds. */
export const suggestionKinds = ['name', 'token'] as const;

/** Answer of /search/suggestions. */
export const SuggestionResult = Strict(
  {
    items: Type.Array(
      Strict(
        {
          kind: OneOf(suggestionKinds, { description: 'What it is.' }),
          id: Type.String({ description: 'Its identifier: the name itself, or the id of the token.' }),
          label: Type.String({ description: 'What begins with the text: the name, or the ticker.' }),
          path: Type.String({ description: 'Where to read it, below the base address of the service.' }),
        },
        { title: 'Suggestion' },
      ),
      {
        description: `At most ${mostSuggested} of a kind. Names in their order, registered once and perhaps expired; tokens of the exact ticker first, those with the most holders before others.`,
      },
    ),
  },
  { title: 'SuggestionResult' },
);

export type SuggestionResultJson = Static<typeof SuggestionResult>;

export type SearchResultJson = Static<typeof SearchResult>;
