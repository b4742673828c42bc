import type { NameRecordsBody, NameRecordsJson } from '@coinfront/api/name-records.ts';
import type { NameParams } from '@coinfront/api/names.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type PutNameRecordsParams = ParamsOf<typeof NameParams> & ParamsOf<typeof NameRecordsBody>;
export type PutNameRecordsResult = NameRecordsJson;
export type PutNameRecordsError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'name_invalid' | 'name_not_found' | 'records_invalid' | 'records_mismatch'
>;

/**
 * Give the document of text records.
 *
 * Anybody may give it, to any service: it is taken when its hash is the one that the chain has for the name, and no other
 * is. So it comes after the block that has the operation. The four newest documents of a name are kept.
 *
 * @throws {PutNameRecordsError}
 * @example
 * await putNameRecords(client, { name: 'alice.coin', records: { url: 'https://alice.example/' } });
 */
export function putNameRecords(
  client: Client,
  { name, ...body }: PutNameRecordsParams,
  options?: CallOptions,
): Promise<PutNameRecordsResult> {
  const call = {
    method: 'PUT',
    path: '/api/vns/v1/name/{name}/records',
    params: { name },
    body,
  } as const;
  return client.request(call, options);
}
