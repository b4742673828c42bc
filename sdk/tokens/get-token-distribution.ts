import type { TokenIdParams } from '@coinfront/api/token-metadata.ts';
import type { TokenDistributionJson } from '@coinfront/api/tokens.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTokenDistributionParams = ParamsOf<typeof TokenIdParams>;
export type GetTokenDistributionResult = TokenDistributionJson;
export type GetTokenDistributionError = CoinfrontError<IndexReadErrorCode | 'token_not_found'>;

/**
 * What the largest holders of a token have in all: of 1, 10, 50 and 100.
 *
 * @throws {GetTokenDistributionError}
 * @example
 * const { largest } = await getTokenDistribution(client, { token_id: '9b088a0d…' });
 */
export function getTokenDistribution(
  client: Client,
  params: GetTokenDistributionParams,
  options?: CallOptions,
): Promise<GetTokenDistributionResult> {
  return client.request({ method: 'GET', path: '/api/v1/tokens/{token_id}/distribution', params }, options);
}
