import type { SearchQuery, SearchResultJson } from '@coinfront/api/chain-search.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type SearchParams = ParamsOf<typeof SearchQuery>;
export type SearchResult = SearchResultJson;
export type SearchError = CoinfrontError<IndexReadErrorCode>;

/**
 * Search for anything.
 *
 * By the exact identifier: a height, a block hash, a txid, an address. Says what was found and where to read it. One
 * text may be several things; nothing found is an empty list.
 *
 * @throws {SearchError}
 * @example
 * const answer = await search(client, { q: '812345' });
 */
export function search(client: Client, params: SearchParams, options?: CallOptions): Promise<SearchResult> {
  return client.request({ method: 'GET', path: '/api/v1/search', params }, options);
}
