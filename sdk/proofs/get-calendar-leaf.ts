import type { LeafJson } from '@coinfront/api/proof-calendar.ts';
import type { DigestParams } from '@coinfront/api/proofs.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { IndexReadErrorCode } from '../client/error-codes.ts';

export type GetCalendarLeafParams = ParamsOf<typeof DigestParams>;
export type GetCalendarLeafResult = LeafJson;
export type GetCalendarLeafError = CoinfrontError<IndexReadErrorCode>;

/**
 * What the calendar has of a digest, and its proof.
 *
 * The proof of a digest that was anchored with others: its path to the root of a tree, and the proof of the root as a
 * look-up gives it. `verifyProof` checks both. A digest that the calendar never took is `unknown`, with status 200.
 *
 * @throws {GetCalendarLeafError}
 * @example
 * const leaf = await getCalendarLeaf(client, { sha256: 'e3b0c442…' });
 */
export function getCalendarLeaf(
  client: Client,
  params: GetCalendarLeafParams,
  options?: CallOptions,
): Promise<GetCalendarLeafResult> {
  return client.request({ method: 'GET', path: '/api/v1/proof/leaf/{sha256}', params }, options);
}
