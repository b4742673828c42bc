import type { EncodeBurnBody, EncodedTokenJson } from '@coinfront/api/token-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeTokenBurnParams = ParamsOf<typeof EncodeBurnBody>;
export type EncodeTokenBurnResult = EncodedTokenJson;
export type EncodeTokenBurnError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'amount_invalid' | 'address_invalid' | 'token_not_found'
>;

/**
 * Build a BURN.
 *
 * Destroys part of the sender's balance. With `address` there is a PSBT of its confirmed coins, which its wallet signs;
 * the service never signs, and never sees a key. There is none while the next block cannot have the operation
 * (`not_valid_now`), unless `force` asks for it. Input 0 has to spend an output of the sender, signed with SIGHASH_ALL.
 * Check what is signed with `/tok/preflight`.
 *
 * @throws {EncodeTokenBurnError}
 * @example
 * const tokenBurn = await encodeTokenBurn(client, { token_id: '9b088a0d…', amount: '10.00' });
 */
export function encodeTokenBurn(
  client: Client,
  params: EncodeTokenBurnParams,
  options?: CallOptions,
): Promise<EncodeTokenBurnResult> {
  return client.request({ method: 'POST', path: '/api/v1/tok/encode/burn', body: params }, options);
}
