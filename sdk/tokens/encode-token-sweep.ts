import type { EncodedTokenJson, EncodeSweepBody } from '@coinfront/api/token-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeTokenSweepParams = ParamsOf<typeof EncodeSweepBody>;
export type EncodeTokenSweepResult = EncodedTokenJson;
export type EncodeTokenSweepError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'amount_invalid' | 'address_invalid' | 'token_not_found'
>;

/**
 * Build a SWEEP.
 *
 * Moves all that the sender has of every token to another address, 32 tokens at most, the oldest first. `sweep` says
 * which, as the chain stands. With `address` there is a PSBT of its confirmed coins, which its wallet signs; the service
 * never signs, and never sees a key. There is none while the next block cannot have the operation (`not_valid_now`),
 * unless `force` asks for it. Input 0 has to spend an output of the sender, signed with SIGHASH_ALL. Check what is signed
 * with `/tok/preflight`.
 *
 * @throws {EncodeTokenSweepError}
 * @example
 * const tokenSweep = await encodeTokenSweep(client, { to: 'bc1qw508d…' });
 */
export function encodeTokenSweep(
  client: Client,
  params: EncodeTokenSweepParams,
  options?: CallOptions,
): Promise<EncodeTokenSweepResult> {
  return client.request({ method: 'POST', path: '/api/v1/tok/encode/sweep', body: params }, options);
}
