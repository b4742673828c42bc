import type { EncodedTokenJson, EncodeTokenTransferBody } from '@coinfront/api/token-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeTokenTransferParams = ParamsOf<typeof EncodeTokenTransferBody>;
export type EncodeTokenTransferResult = EncodedTokenJson;
export type EncodeTokenTransferError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'amount_invalid' | 'address_invalid' | 'token_not_found'
>;

/**
 * Build a TRANSFER.
 *
 * From the sender to one or several addresses; each gets an output of its own, which the payload names. With `address`
 * there is a PSBT of its confirmed coins, which its wallet signs; the service never signs, and never sees a key. There
 * is none while the next block cannot have the operation (`not_valid_now`), unless `force` asks for it. Input 0 has to
 * spend an output of the sender, signed with SIGHASH_ALL. Check what is signed with `/tok/preflight`.
 *
 * @throws {EncodeTokenTransferError}
 * @example
 * const tokenTransfer = await encodeTokenTransfer(client, {
 *   token_id: '9b088a0d…',
 *   recipients: [{ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: '990.00' }],
 * });
 */
export function encodeTokenTransfer(
  client: Client,
  params: EncodeTokenTransferParams,
  options?: CallOptions,
): Promise<EncodeTokenTransferResult> {
  return client.request({ method: 'POST', path: '/api/v1/tok/encode/transfer', body: params }, options);
}
