import type { HeightParams } from '@coinfront/api/protocol-hashes.ts';
import type { HashesQuery } from '@coinfront/api/protocol-state.ts';
import type { TokenHashesJson } from '@coinfront/api/tokens.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetTokenHashesParams = ParamsOf<typeof HeightParams> & ParamsOf<typeof HashesQuery>;
export type GetTokenHashesResult = TokenHashesJson;
export type GetTokenHashesError = CoinfrontError<
  IndexReadErrorCode | 'block_not_found' | 'state_unavailable' | 'state_too_large'
>;

/**
 * Hashes of a height.
 *
 * For finding the first height at which two services with the same `rules_id` differ: compare `chain_hash` by bisection.
 *
 * @throws {GetTokenHashesError}
 * @example
 * const tokenHashes = await getTokenHashes(client, { height: 812340 });
 */
export function getTokenHashes(
  client: Client,
  params: GetTokenHashesParams,
  options?: CallOptions,
): Promise<GetTokenHashesResult> {
  return client.request({ method: 'GET', path: '/api/v1/tok/hashes/{height}', params }, options);
}
