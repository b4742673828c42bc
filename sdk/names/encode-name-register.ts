import type { EncodedNameJson, EncodeRegisterBody } from '@coinfront/api/name-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeNameRegisterParams = ParamsOf<typeof EncodeRegisterBody>;
export type EncodeNameRegisterResult = EncodedNameJson;
export type EncodeNameRegisterError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'name_invalid' | 'address_invalid'
>;

/**
 * Build a register.
 *
 * The second step: it reveals name and salt and pays the price. Only the address that was committed to can send it,
 * from `earliest` to `latest`; sent too early it is invalid, and what it pays is lost. The answer does not hang on a
 * txid. With `address` there is a PSBT of its confirmed coins, which its wallet signs; the service never signs, and
 * never sees a key. There is none while the next block cannot have the operation (`not_valid_now`), unless `force` asks
 * for it. Input 0 has to spend an output of the sender, signed with SIGHASH_ALL.
 *
 * @throws {EncodeNameRegisterError}
 * @example
 * const nameRegister = await encodeNameRegister(client, {
 *   name: 'alice.coin',
 *   salt: '2f9d0c41b7e85a6390c4d1e2f3a4b5c6',
 *   periods: 1,
 *   address: 'rltc1q0s3zg5pr0svjcfmfy24pzp48cjgedyeevk46ek',
 * });
 */
export function encodeNameRegister(
  client: Client,
  params: EncodeNameRegisterParams,
  options?: CallOptions,
): Promise<EncodeNameRegisterResult> {
  return client.request({ method: 'POST', path: '/api/vns/v1/encode/register', body: params }, options);
}
