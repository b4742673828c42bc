import type { EncodedTokenJson, EncodeMintBody } from '@coinfront/api/token-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeTokenMintParams = ParamsOf<typeof EncodeMintBody>;
export type EncodeTokenMintResult = EncodedTokenJson;
export type EncodeTokenMintError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'amount_invalid' | 'address_invalid' | 'token_not_found'
>;

/**
 * Build a MINT.
 *
 * By the issuer, up to the cap and never in part; can close minting. With `address` there is a PSBT of its confirmed
 * coins, which its wallet signs; the service never signs, and never sees a key. There is none while the next block
 * cannot have the operation (`not_valid_now`), unless `force` asks for it. Input 0 has to spend an output of the
 * sender, signed with SIGHASH_ALL. Check what is signed with `/tok/preflight`.
 *
 * @throws {EncodeTokenMintError}
 * @example
 * const tokenMint = await encodeTokenMint(client, {
 *   token_id: '9b088a0d…',
 *   amount: '1000.00',
 *   to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 * });
 */
export function encodeTokenMint(
  client: Client,
  params: EncodeTokenMintParams,
  options?: CallOptions,
): Promise<EncodeTokenMintResult> {
  return client.request({ method: 'POST', path: '/api/v1/tok/encode/mint', body: params }, options);
}
