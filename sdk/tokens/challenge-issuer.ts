import type {
  MetadataChallengeBody,
  MetadataChallengeJson,
  TokenIdParams,
} from '@coinfront/api/token-metadata.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type ChallengeIssuerParams = ParamsOf<typeof TokenIdParams, typeof MetadataChallengeBody>;
export type ChallengeIssuerResult = MetadataChallengeJson;
export type ChallengeIssuerError = CoinfrontError<
  | ReadErrorCode
  | BodyErrorCode
  | 'metadata_invalid'
  | 'token_not_found'
  | 'issuer_cannot_sign'
  | 'challenges_exhausted'
  | 'metadata_unavailable'
>;

/**
 * Ask for the text that the issuer signs.
 *
 * The first of two steps to publish the description of a token: the text to sign names this service, the network, the
 * token, and the hashes of metadata and logo. It is good for 15 minutes and for one submission. Anybody may for it;
 * only the token's issuer can sign it.
 *
 * @throws {ChallengeIssuerError}
 * @example
 * const issuer = await challengeIssuer(client, {
 *   token_id: '9b088a0d…',
 *   metadata: { name: 'Harbour Credits', description: 'Prepaid …', website: 'https://harbour.example' },
 *   logo_sha256: 'd0eee1bf…',
 * });
 */
export function challengeIssuer(
  client: Client,
  params: ChallengeIssuerParams,
  options?: CallOptions,
): Promise<ChallengeIssuerResult> {
  const { token_id, ...body } = params;
  return client.request(
    { method: 'POST', path: '/api/v1/tokens/{token_id}/metadata/challenge', params: { token_id }, body },
    options,
  );
}
