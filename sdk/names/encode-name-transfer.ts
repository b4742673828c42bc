import type { EncodedNameJson, EncodeTransferBody } from '@coinfront/api/name-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeNameTransferParams = ParamsOf<typeof EncodeTransferBody>;
export type EncodeNameTransferResult = EncodedNameJson;
export type EncodeNameTransferError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'name_invalid' | 'address_invalid'
>;

/**
 * Build a transfer.
 *
 * Gives a name to the owner of the output behind the carrier, at once and for good. Only its owner can send it. The
 * answer does not hang on a txid. With `address` there is a PSBT of its confirmed coins, which its wallet signs; the
 * service never signs, and never sees a key. There is none while the next block cannot have the operation
 * (`not_valid_now`), unless `force` asks for it. Input 0 has to spend an output of the sender, signed with SIGHASH_ALL.
 *
 * @throws {EncodeNameTransferError}
 * @example
 * const nameTransfer = await encodeNameTransfer(client, {
 *   name: 'alice.coin',
 *   to: 'rltc1q0s3zg5pr0svjcfmfy24pzp48cjgedyeevk46ek',
 * });
 */
export function encodeNameTransfer(
  client: Client,
  params: EncodeNameTransferParams,
  options?: CallOptions,
): Promise<EncodeNameTransferResult> {
  return client.request({ method: 'POST', path: '/api/vns/v1/encode/transfer', body: params }, options);
}
