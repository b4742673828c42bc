import { randomBytes } from 'node:crypto';
import {
  MetadataChallengeBody,
  type MetadataChallengeJson,
  MetadataChallengeView,
  TokenIdParams,
} from '@coinfront/api/token-metadata.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { addChallenge, type ChallengeBounds, clientOfChallenge } from './challenge-store.ts';
import { getCanonical, getIssuer, writeChallenge } from './claim.ts';
import {
  getDomain,
  getToken,
  lockBounds,
  readTokenId,
  type TokenMetadataContext,
} from './metadata-context.ts';
import { metadataExamples } from './metadata-examples.ts';
import type { MetadataTables } from './metadata-tables.ts';

/** How long a challenge can be answered, milliseconds. */
export const challengeMs = 900_000;
/** Challenges that may be open at once. */
export const challengeBounds: ChallengeBounds = {
  ...{ ofClientAndToken: 5, ofClient: 20 },
  ...{ ofToken: 200, all: 20_000 },
};

/** `POST /tokens/{token_id}/metadata/challenge`. */
export function registerChallengeRoute(app: FastifyInstance, context: TokenMetadataContext): void {
  const { precious, now } = context;
  registerCall(app, {
    method: 'POST',
    path: '/tokens/:token_id/metadata/challenge',
    params: TokenIdParams,
    body: MetadataChallengeBody,
    // Every character may be written as an escape of six.
    bodyLimit: 32_768,
    response: MetadataChallengeView,
    cache: 'none',
    cost: 10,
    operation: {
      document: 'tokens',
      id: 'challengeIssuer',
      tag: 'Metadata',
      summary: 'Ask for the text that the issuer signs',
      description:
        'The first of two steps to publish the description of a token: the text to sign names this service, the network, ' +
        'the token, and the hashes of metadata and logo. It is good for 15 minutes and for one submission. Anybody may ' +
        "for it; only the token's issuer can sign it.",
      errors: [
        'token_not_found',
        'metadata_invalid',
        'issuer_cannot_sign',
        'challenges_exhausted',
        'metadata_unavailable',
        'not_ready',
        'index_unavailable',
      ],
      parameterExamples: { token_id: metadataExamples.challenge.token_id },
      bodyExample: {
        metadata: metadataExamples.metadata,
        logo_sha256: metadataExamples.challenge.logo_sha256,
      },
      example: metadataExamples.challenge,
    },
    async call({ params, body, request }): Promise<MetadataChallengeJson> {
      getDomain(context);
      const canonical = getCanonical(body.metadata);
      const tokenId = readTokenId(params.token_id);
      const { issuerScript } = await getToken(context, tokenId);
      const issued = Math.floor(now() / 1000) * 1000;
      const client = await context.nameClient(request.ip, issued);
      const row = {
        nonce: randomBytes(32).toString('hex'),
        token_id: tokenId,
        issuer: getIssuer(issuerScript, context),
        ...clientOfChallenge(client),
        metadata_sha256: canonical.sha256,
        logo_sha256: body.logo_sha256,
        issued_at: issued,
        expires_at: issued + challengeMs,
        used_at: null,
      };
      const message = writeChallenge(row, context);
      const isAdded = await precious.transaction<MetadataTables, boolean>(async (trx) => {
        await lockBounds(trx, precious.engine);
        return await addChallenge(trx, row, client, challengeBounds);
      });
      if (!isAdded) {
        const detail = `You have ${challengeBounds.ofClient} open challenges, or your network has its share of them; they expire ${challengeMs / 60_000} minutes after they were made.`;
        throw new AppError('challenges_exhausted', detail, { 'retry-after': '60' });
      }
      return {
        token_id: tokenId,
        nonce: row.nonce,
        issuer: row.issuer,
        message,
        metadata_sha256: row.metadata_sha256,
        logo_sha256: row.logo_sha256,
        issued_at: new Date(row.issued_at).toISOString(),
        expires_at: new Date(row.expires_at).toISOString(),
      };
    },
  });
}
