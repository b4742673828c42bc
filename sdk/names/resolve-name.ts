import type { NameParams, NameResolution } from '@coinfront/api/names.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type ResolveNameParams = ParamsOf<typeof NameParams>;
export type ResolveNameResult = Static<typeof NameResolution>;
export type ResolveNameError = CoinfrontError<IndexReadErrorCode | 'name_invalid' | 'name_not_resolved'>;

/**
 * Resolve a name.
 *
 * The owner's address, only while the name has not expired. Show the address before anything is paid to it: a name can
 * change its owner with each block.
 *
 * @throws {ResolveNameError}
 * @example
 * const name = await resolveName(client, { name: 'alice.coin' });
 */
export function resolveName(
  client: Client,
  params: ResolveNameParams,
  options?: CallOptions,
): Promise<ResolveNameResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/resolve/{name}', params }, options);
}
