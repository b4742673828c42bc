import { mostSuggested, SuggestionQuery, SuggestionResult } from '@coinfront/api/chain-search.ts';
import type { FastifyInstance } from 'fastify';
import { registerRead } from '../../http/read-route.ts';
import type { ChainContext, Suggestion } from './chain-context.ts';
import { addressExamples } from './examples-chain.ts';

/** `/search/suggestions`. */
export function registerSuggestionRoute(app: FastifyInstance, context: ChainContext): void {
  registerRead(app, context, {
    path: '/search/suggestions',
    query: SuggestionQuery,
    response: SuggestionResult,
    dependsOn: 'tip',
    operation: {
      document: 'chain',
      id: 'suggest',
      tag: 'Search',
      summary: 'Names and tokens that begin with a text',
      description:
        'For a search box, while somebody types: a few names and tickers that begin with the text. Nothing that begins with it is an empty ' +
        'list. Everything else is found by its exact identifier, by `/search`.',
      errors: [],
      parameterExamples: { q: 'ali' },
      example: addressExamples.suggestions,
    },
    async read({ view, query }) {
      const start = query.q.trim();
      const items: Suggestion[] = [];
      for (const find of context.suggestions) items.push(...(await find(start, view, mostSuggested)));
      return { items };
    },
  });
}
