import type { SuggestionQuery, SuggestionResultJson } from '@coinfront/api/chain-search.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type SuggestParams = ParamsOf<typeof SuggestionQuery>;
export type SuggestResult = SuggestionResultJson;
export type SuggestError = CoinfrontError<IndexReadErrorCode>;

/**
 * Names and tokens that begin with a text.
 *
 * For a search box, while somebody types. Everything but names and tickers is found by its exact identifier, by `search`.
 *
 * @throws {SuggestError}
 * @example
 * const { items } = await suggest(client, { q: 'ali' });
 */
export function suggest(
  client: Client,
  params: SuggestParams,
  options?: CallOptions,
): Promise<SuggestResult> {
  return client.request({ method: 'GET', path: '/api/v1/search/suggestions', params }, options);
}
