import type { NameAvailabilityJson, NameParams } from '@coinfront/api/names.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetNameAvailabilityParams = ParamsOf<typeof NameParams>;
export type GetNameAvailabilityResult = NameAvailabilityJson;
export type GetNameAvailabilityError = CoinfrontError<IndexReadErrorCode | 'name_invalid'>;

/**
 * Whether a name can be registered.
 *
 * For the next block: whether the name is free, and if not, why and from when; its price, and the premium with how it
 * falls. What is in the mempool does not count.
 *
 * @throws {GetNameAvailabilityError}
 * @example
 * const nameAvailability = await getNameAvailability(client, { name: 'alice.coin' });
 */
export function getNameAvailability(
  client: Client,
  params: GetNameAvailabilityParams,
  options?: CallOptions,
): Promise<GetNameAvailabilityResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/availability/{name}', params }, options);
}
