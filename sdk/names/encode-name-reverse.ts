import type { EncodedNameJson, EncodeReverseBody } from '@coinfront/api/name-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeNameReverseParams = ParamsOf<typeof EncodeReverseBody>;
export type EncodeNameReverseResult = EncodedNameJson;
export type EncodeNameReverseError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'name_invalid' | 'address_invalid'
>;

/**
 * Build a reverse record.
 *
 * Says with which of its names an address is shown, or with none (`name: null`). Only the address itself can send it,
 * and only a name that resolves to it can be set. Costs the network fee alone. The answer does not hang on a txid. With
 * `address` there is a PSBT of its confirmed coins, which its wallet signs; the service never signs, and never sees a
 * key. There is none while the next block cannot have the operation (`not_valid_now`), unless `force` asks for it. Input
 * 0 has to spend an output of the sender, signed with SIGHASH_ALL.
 *
 * @throws {EncodeNameReverseError}
 * @example
 * const { transaction } = await encodeNameReverse(client, { name: 'alice.coin', address });
 */
export function encodeNameReverse(
  client: Client,
  params: EncodeNameReverseParams,
  options?: CallOptions,
): Promise<EncodeNameReverseResult> {
  return client.request({ method: 'POST', path: '/api/vns/v1/encode/reverse', body: params }, options);
}
