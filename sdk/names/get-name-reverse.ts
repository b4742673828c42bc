import type { AddressParams } from '@coinfront/api/common.ts';
import type { NameReverseJson } from '@coinfront/api/name-reverse.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetNameReverseParams = ParamsOf<typeof AddressParams>;
export type GetNameReverseResult = NameReverseJson;
export type GetNameReverseError = CoinfrontError<IndexReadErrorCode | 'address_invalid'>;

/**
 * The name to show for an address.
 *
 * The reverse record of an address: the name that its owner has chosen, only while that name resolves to the address.
 * Others can give names to an address; this one can be set by its owner alone.
 *
 * @throws {GetNameReverseError}
 * @example
 * const { name } = await getNameReverse(client, { address });
 */
export function getNameReverse(
  client: Client,
  params: GetNameReverseParams,
  options?: CallOptions,
): Promise<GetNameReverseResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/reverse/{address}', params }, options);
}
