import type { AnchorBody, AnchorResultJson } from '@coinfront/api/proofs.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type AnchorDigestParams = ParamsOf<typeof AnchorBody>;
export type AnchorDigestResult = AnchorResultJson;
export type AnchorDigestError = CoinfrontError<
  ReadErrorCode | BodyErrorCode | 'calendar_off' | 'calendar_full' | 'digests_exhausted'
>;

/**
 * Anchor a digest.
 *
 * A digest that is anchored already, or on its way, is answered with what there is. Otherwise, where the operator pays
 * for it, the service sends a transaction of its own wallet and answers 202 with its txid; where not, it answers with
 * the script to put into a transaction of the caller's own wallet. Asking again is safe: one digest never gets two
 * transactions. With `form: 'calendar'` the digest is committed and answered at once, and anchored with others:
 * {@link getCalendarLeaf} has its proof.
 *
 * @throws {AnchorDigestError}
 * @example
 * const digest = await anchorDigest(client, { sha256: 'e3b0c442…' });
 */
export function anchorDigest(
  client: Client,
  params: AnchorDigestParams,
  options?: CallOptions,
): Promise<AnchorDigestResult> {
  return client.request({ method: 'POST', path: '/api/v1/proof/anchor', body: params }, options);
}
