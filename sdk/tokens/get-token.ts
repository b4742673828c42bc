import type { TokenIdParams } from '@coinfront/api/token-metadata.ts';
import type { TokenAnswer } from '@coinfront/api/tokens.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTokenParams = ParamsOf<typeof TokenIdParams>;
export type GetTokenResult = Static<typeof TokenAnswer>;
export type GetTokenError = CoinfrontError<IndexReadErrorCode | 'token_not_found'>;

/**
 * A token: issuer, supply, reviewed metadata.
 *
 * `metadata` is null until the issuer proved to be it and a person approved what it submitted; all else is from the
 * chain.
 *
 * @throws {GetTokenError}
 * @example
 * const token = await getToken(client, { token_id: '9b088a0d…' });
 */
export function getToken(
  client: Client,
  params: GetTokenParams,
  options?: CallOptions,
): Promise<GetTokenResult> {
  return client.request({ method: 'GET', path: '/api/v1/tokens/{token_id}', params }, options);
}
