import {
  MetadataSubmissionBody,
  type MetadataSubmissionJson,
  MetadataSubmissionView,
  SubmissionParams,
  TokenIdParams,
} from '@coinfront/api/token-metadata.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { readTokenId, type TokenMetadataContext } from './metadata-context.ts';
import { metadataExamples } from './metadata-examples.ts';
import type { MetadataSubmissionTable, MetadataTables } from './metadata-tables.ts';
import type { RenderLogo } from './render-logo.ts';
import { findSubmission } from './submission-store.ts';
import { submitMetadata } from './submit-metadata.ts';

/** Base64 of the largest logo, the longest metadata and signature, and what JSON puts around. */
const BODY_LIMIT = 450_000;

/** `POST /tokens/{token_id}/metadata/submissions`, and the state of one. */
export function registerSubmissionRoutes(
  app: FastifyInstance,
  context: TokenMetadataContext,
  renderLogo: RenderLogo,
): void {
  registerCall(app, {
    method: 'POST',
    path: '/tokens/:token_id/metadata/submissions',
    params: TokenIdParams,
    body: MetadataSubmissionBody,
    bodyLimit: BODY_LIMIT,
    response: MetadataSubmissionView,
    cache: 'none',
    cost: 20,
    operation: {
      document: 'tokens',
      id: 'submitMetadata',
      tag: 'Metadata',
      summary: 'Submit what the issuer has signed',
      description:
        "Metadata and logo exactly as the challenge was made for, with the issuer's signature of its message. What is " +
        'accepted is held until a person has approved it; nothing of it is public before. The answer names the ' +
        'submission, whose state can be asked for.',
      errors: [
        'token_not_found',
        'metadata_invalid',
        'challenge_not_found',
        'challenge_expired',
        'challenge_used',
        'metadata_mismatch',
        'signature_invalid',
        'logo_invalid',
        'issuer_cannot_sign',
        'review_queue_full',
        'metadata_unavailable',
        'overloaded',
        'not_ready',
        'index_unavailable',
      ],
      status: 202,
      parameterExamples: { token_id: metadataExamples.challenge.token_id },
      bodyExample: {
        nonce: metadataExamples.challenge.nonce,
        signature: metadataExamples.signature,
        metadata: metadataExamples.metadata,
        logo: metadataExamples.logo,
      },
      example: metadataExamples.submission,
    },
    async call({ params, body, request }) {
      const row = await submitMetadata(context, renderLogo, readTokenId(params.token_id), body, request.ip);
      return serialiseSubmission(row);
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/tokens/:token_id/metadata/submissions/:submission_id',
    params: SubmissionParams,
    response: MetadataSubmissionView,
    cache: 'none',
    operation: {
      document: 'tokens',
      id: 'getMetadataSubmission',
      tag: 'Metadata',
      summary: 'State of a submission',
      description: 'Whether it was reviewed, and with what outcome; never what was submitted.',
      errors: ['submission_not_found', 'index_unavailable'],
      parameterExamples: {
        token_id: metadataExamples.challenge.token_id,
        submission_id: metadataExamples.submission.id,
      },
      example: metadataExamples.submission,
    },
    async call({ params }) {
      const row = await findSubmission(context.precious.query<MetadataTables>(), params.submission_id);
      if (row === undefined || row.token_id !== readTokenId(params.token_id))
        throw new AppError('submission_not_found', 'This token has no such submission.');
      return serialiseSubmission(row);
    },
  });
}

function serialiseSubmission(row: MetadataSubmissionTable): MetadataSubmissionJson {
  return {
    id: row.id,
    token_id: row.token_id,
    state: row.state,
    reason: row.reason,
    submitted_at: new Date(row.submitted_at).toISOString(),
    decided_at: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
  };
}
