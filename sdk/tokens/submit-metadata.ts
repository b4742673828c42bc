import type {
  MetadataSubmissionBody,
  MetadataSubmissionJson,
  TokenIdParams,
} from '@coinfront/api/token-metadata.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type SubmitMetadataParams = ParamsOf<typeof TokenIdParams, typeof MetadataSubmissionBody>;
export type SubmitMetadataResult = MetadataSubmissionJson;
export type SubmitMetadataError = CoinfrontError<
  | ReadErrorCode
  | BodyErrorCode
  | 'metadata_invalid'
  | 'token_not_found'
  | 'challenge_not_found'
  | 'challenge_used'
  | 'review_queue_full'
  | 'challenge_expired'
  | 'metadata_mismatch'
  | 'signature_invalid'
  | 'logo_invalid'
  | 'issuer_cannot_sign'
  | 'metadata_unavailable'
  | 'overloaded'
>;

/**
 * Submit what the issuer has signed.
 *
 * Metadata and logo exactly as the challenge was made for, with the issuer's signature of its message. What is
 * accepted is held until a person has approved it; nothing of it is public before. The answer names the submission,
 * whose state can be asked for.
 *
 * @throws {SubmitMetadataError}
 * @example
 * const metadata = await submitMetadata(client, {
 *   token_id: '9b088a0d…',
 *   nonce: '59857136…',
 *   signature: 'smpAkcwR…',
 *   metadata: { name: 'Harbour Credits', description: 'Prepaid …', website: 'https://harbour.example' },
 *   logo: 'iVBORw0K…',
 * });
 */
export function submitMetadata(
  client: Client,
  params: SubmitMetadataParams,
  options?: CallOptions,
): Promise<SubmitMetadataResult> {
  const { token_id, ...body } = params;
  return client.request(
    { method: 'POST', path: '/api/v1/tokens/{token_id}/metadata/submissions', params: { token_id }, body },
    options,
  );
}
