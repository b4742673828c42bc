import type { MetadataSubmissionJson, SubmissionParams } from '@coinfront/api/token-metadata.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetMetadataSubmissionParams = ParamsOf<typeof SubmissionParams>;
export type GetMetadataSubmissionResult = MetadataSubmissionJson;
export type GetMetadataSubmissionError = CoinfrontError<
  CallErrorCode | 'submission_not_found' | 'index_unavailable'
>;

/**
 * State of a submission.
 *
 * Whether it was reviewed, and with what outcome; never what was submitted.
 *
 * @throws {GetMetadataSubmissionError}
 * @example
 * const metadataSubmission = await getMetadataSubmission(client, {
 *   token_id: '9b088a0d…',
 *   submission_id: 'tms_5a1yXlqS6Gq3n0w1b2c3dA',
 * });
 */
export function getMetadataSubmission(
  client: Client,
  params: GetMetadataSubmissionParams,
  options?: CallOptions,
): Promise<GetMetadataSubmissionResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/tokens/{token_id}/metadata/submissions/{submission_id}', params },
    options,
  );
}
