import type { DigestBatchBody, DigestBatchJson } from '@coinfront/api/proof-calendar.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type AnchorDigestsParams = ParamsOf<typeof DigestBatchBody>;
export type AnchorDigestsResult = DigestBatchJson;
export type AnchorDigestsError = CoinfrontError<
  CallErrorCode | BodyErrorCode | 'calendar_off' | 'calendar_full' | 'digests_exhausted' | 'index_unavailable'
>;

/**
 * Have many digests anchored together.
 *
 * Takes up to 4,000 digests for the calendar: each is committed before this answers, and anchored by the root of a tree over
 * all that came in an interval. Asking again is safe: a digest that was taken before is what it was.
 *
 * @throws {AnchorDigestsError}
 * @example
 * const { items } = await anchorDigests(client, { sha256: ['e3b0c442…', '96a296d2…'] });
 */
export function anchorDigests(
  client: Client,
  params: AnchorDigestsParams,
  options?: CallOptions,
): Promise<AnchorDigestsResult> {
  return client.request({ method: 'POST', path: '/api/v1/proof/batch', body: params }, options);
}
