import type { EncodeCreateBody, EncodedTokenJson } from '@coinfront/api/token-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeTokenCreateParams = ParamsOf<typeof EncodeCreateBody>;
export type EncodeTokenCreateResult = EncodedTokenJson;
export type EncodeTokenCreateError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'amount_invalid' | 'address_invalid' | 'token_not_found'
>;

/**
 * Build a CREATE.
 *
 * Makes a token; the sender is its issuer for good. Pays the CREATE fee of the next block. The id of the token is known
 * with the PSBT, before it is signed. With `address` there is a PSBT of its confirmed coins, which its wallet signs;
 * the service never signs, and never sees a key. There is none while the next block cannot have the operation
 * (`not_valid_now`), unless `force` asks for it. Input 0 has to spend an output of the sender, signed with SIGHASH_ALL.
 * Check what is signed with `/tok/preflight`.
 *
 * @throws {EncodeTokenCreateError}
 * @example
 * const tokenCreate = await encodeTokenCreate(client, {
 *   ticker: 'BERTH',
 *   decimals: 2,
 *   premine: '1000.00',
 *   mintable: true,
 *   cap: '5000.00',
 * });
 */
export function encodeTokenCreate(
  client: Client,
  params: EncodeTokenCreateParams,
  options?: CallOptions,
): Promise<EncodeTokenCreateResult> {
  return client.request({ method: 'POST', path: '/api/v1/tok/encode/create', body: params }, options);
}
