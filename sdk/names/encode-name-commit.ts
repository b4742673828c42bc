import type { EncodeCommitBody, EncodedNameJson } from '@coinfront/api/name-encode.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type EncodeNameCommitParams = ParamsOf<typeof EncodeCommitBody>;
export type EncodeNameCommitResult = EncodedNameJson;
export type EncodeNameCommitError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'name_invalid' | 'address_invalid'
>;

/**
 * Build a commit.
 *
 * The first of two steps to a name: it hides which, so that nobody can be faster. Give `name`, `salt` and the
 * `owner`-to-be, or only the `commitment`, which the wallet can make itself. Costs the network fee alone. Keep the
 * salt: without it the commitment is worth nothing. The answer does not hang on a txid. With `address` there is a PSBT
 * of its confirmed coins, which its wallet signs; the service never signs, and never sees a key. There is none while
 * the next block cannot have the operation (`not_valid_now`), unless `force` asks for it. Input 0 has to spend an
 * output of the sender, signed with SIGHASH_ALL.
 *
 * @throws {EncodeNameCommitError}
 * @example
 * const nameCommit = await encodeNameCommit(client, {
 *   name: 'alice.coin',
 *   salt: '2f9d0c41b7e85a6390c4d1e2f3a4b5c6',
 *   owner: 'rltc1q0s3zg5pr0svjcfmfy24pzp48cjgedyeevk46ek',
 * });
 */
export function encodeNameCommit(
  client: Client,
  params: EncodeNameCommitParams,
  options?: CallOptions,
): Promise<EncodeNameCommitResult> {
  return client.request({ method: 'POST', path: '/api/vns/v1/encode/commit', body: params }, options);
}
