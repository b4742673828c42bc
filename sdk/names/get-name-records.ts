import type { NameRecordsJson } from '@coinfront/api/name-records.ts';
import type { NameParams } from '@coinfront/api/names.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { ReadErrorCode } from '../client/error-codes.ts';

export type GetNameRecordsParams = ParamsOf<typeof NameParams>;
export type GetNameRecordsResult = NameRecordsJson;
export type GetNameRecordsError = CoinfrontError<ReadErrorCode | 'name_invalid' | 'name_not_found'>;

/**
 * Text records of a name.
 *
 * What the owner of a name says with it: addresses of other coins, links, how to be reached. The chain has the hash,
 * services have the document: read what {@link verifyNameRecords} makes of the answer, which checks the one by the other.
 *
 * @throws {GetNameRecordsError}
 * @example
 * const { url } = verifyNameRecords(await getNameRecords(client, { name: 'alice.coin' })) ?? {};
 */
export function getNameRecords(
  client: Client,
  params: GetNameRecordsParams,
  options?: CallOptions,
): Promise<GetNameRecordsResult> {
  return client.request({ method: 'GET', path: '/api/vns/v1/name/{name}/records', params }, options);
}
