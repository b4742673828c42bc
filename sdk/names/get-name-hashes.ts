import type { NameHashesView } from '@coinfront/api/names.ts';
import type { HeightParams } from '@coinfront/api/protocol-hashes.ts';
import type { HashesQuery } from '@coinfront/api/protocol-state.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetNameHashesParams = ParamsOf<typeof HeightParams> & ParamsOf<typeof HashesQuery>;
export type GetNameHashesResult = Static<typeof NameHashesView>;
export type GetNameHashesError = CoinfrontError<
  IndexReadErrorCode | 'block_not_found' | 'state_unavailable' | 'state_too_large'
>;

/**
 * Hashes of a block.
 *
 * Two services that followed the same blocks by the same rules (`rules_id`) have the same hashes at every height; the
 * first height that differs is found by bisection of `chain_hash`.
 *
 * @throws {GetNameHashesError}
 * @example
 * const nameHashes = await getNameHashes(client, { height: 812000 });
 */
export function getNameHashes(
  client: Client,
  params: GetNameHashesParams,
  options?: CallOptions,
): Promise<GetNameHashesResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/hashes/{height}', params }, options);
}
