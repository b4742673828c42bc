import type { NameReverseBody, NameReverseListJson } from '@coinfront/api/name-reverse.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type ListNameReversesParams = ParamsOf<typeof NameReverseBody>;
export type ListNameReversesResult = NameReverseListJson;
export type ListNameReversesError = CoinfrontError<ReadErrorCode | BodyErrorCode | 'address_invalid'>;

/**
 * The names to show for many addresses.
 *
 * What `/reverse/{address}` says of each of up to 100, all of one block, in their order. One text that is no address
 * refuses the whole request.
 *
 * @throws {ListNameReversesError}
 * @example
 * const { items } = await listNameReverses(client, { addresses: [address, other] });
 */
export function listNameReverses(
  client: Client,
  params: ListNameReversesParams,
  options?: CallOptions,
): Promise<ListNameReversesResult> {
  return client.request({ method: 'POST', path: '/api/vns/v1/reverse', body: params }, options);
}
