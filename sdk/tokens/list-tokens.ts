import type { TokenList, TokenListQuery } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CursorErrorCode, IndexReadErrorCode } from '../client/error-codes.ts';

export type ListTokensParams = ParamsOf<typeof TokenListQuery>;
export type ListTokensResult = Static<typeof TokenList>;
export type ListTokensError = CoinfrontError<IndexReadErrorCode | CursorErrorCode | 'cursor_expired'>;

/**
 * Search or list tokens.
 *
 * All tokens, or those of a ticker, of an issuer, or whose id begins with some digits. Tickers are not unique: look at
 * the id, the issuer and the number of holders.
 *
 * @throws {ListTokensError}
 * @example
 * const { items, next_cursor } = await listTokens(client);
 */
export function listTokens(
  client: Client,
  params: ListTokensParams = {},
  options?: CallOptions,
): Promise<ListTokensResult> {
  return client.request({ method: 'GET', path: '/api/v1/tokens', params }, options);
}
