import type { EncodedNameJson, EncodeRenewBody } from '@coinfront/api/name-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeNameRenewParams = ParamsOf<typeof EncodeRenewBody>;
export type EncodeNameRenewResult = EncodedNameJson;
export type EncodeNameRenewError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'name_invalid' | 'address_invalid'
>;

/**
 * Build a renewal.
 *
 * Adds periods to the expiry of a name, until its grace is over. Anybody can pay for it. The answer does not hang on a
 * txid. With `address` there is a PSBT of its confirmed coins, which its wallet signs; the service never signs, and
 * never sees a key. There is none while the next block cannot have the operation (`not_valid_now`), unless `force` asks
 * for it. Input 0 has to spend an output of the sender, signed with SIGHASH_ALL.
 *
 * @throws {EncodeNameRenewError}
 * @example
 * const nameRenew = await encodeNameRenew(client, { name: 'alice.coin', periods: 2 });
 */
export function encodeNameRenew(
  client: Client,
  params: EncodeNameRenewParams,
  options?: CallOptions,
): Promise<EncodeNameRenewResult> {
  return client.request({ method: 'POST', path: '/api/vns/v1/encode/renew', body: params }, options);
}
