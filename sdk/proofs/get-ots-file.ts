import type { OtsFileQuery } from '@coinfront/api/proof-calendar.ts';
import type { DigestParams } from '@coinfront/api/proofs.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetOtsFileParams = ParamsOf<typeof DigestParams, typeof OtsFileQuery>;
export type GetOtsFileResult = Uint8Array<ArrayBuffer>;
export type GetOtsFileError = CoinfrontError<IndexReadErrorCode | 'timestamp_unavailable'>;

/**
 * A proof as a file of OpenTimestamps.
 *
 * The proof of a digest that is in a block, by a transaction of its own or by the calendar, as an `.ots` file. On Bitcoin
 * and Litecoin other programs verify it; on other chains its attestation has a tag of its own. `verifyOts` checks it. With `pending: 'true'` a
 * digest that waits in the calendar gives a file that programs for OpenTimestamps upgrade once it is final.
 *
 * @throws {GetOtsFileError}
 * @example
 * const file = await getOtsFile(client, { sha256: 'e3b0c442…' });
 */
export function getOtsFile(
  client: Client,
  params: GetOtsFileParams,
  options?: CallOptions,
): Promise<GetOtsFileResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/proof/ots/{sha256}', params, answer: 'bytes' },
    options,
  );
}
