import type { EncodedNameJson, EncodeRecordsBody } from '@coinfront/api/name-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeNameRecordsParams = ParamsOf<typeof EncodeRecordsBody>;
export type EncodeNameRecordsResult = EncodedNameJson;
export type EncodeNameRecordsError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'name_invalid' | 'address_invalid' | 'records_invalid'
>;

/**
 * Build text records.
 *
 * Puts the hash of the text records of a name on the chain; only its owner can send it. Once a block has it, the records
 * are given to services with {@link putNameRecords}. Costs the network fee alone. The answer does not hang on a txid. With
 * `address` there is a PSBT of its confirmed coins, which its wallet signs; the service never signs, and never sees a key.
 * There is none while the next block cannot have the operation (`not_valid_now`), unless `force` asks for it. Input 0 has
 * to spend an output of the sender, signed with SIGHASH_ALL.
 *
 * @throws {EncodeNameRecordsError}
 * @example
 * const { transaction } = await encodeNameRecords(client, { name: 'alice.coin', records, address });
 */
export function encodeNameRecords(
  client: Client,
  params: EncodeNameRecordsParams,
  options?: CallOptions,
): Promise<EncodeNameRecordsResult> {
  return client.request({ method: 'POST', path: '/api/vns/v1/encode/records', body: params }, options);
}
