import type { NewContributorBody, NewContributorJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type RegisterContributorParams = ParamsOf<typeof NewContributorBody>;
export type RegisterContributorResult = NewContributorJson;
export type RegisterContributorError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'nickname_invalid'
  | 'treasury_not_configured'
  | 'nickname_taken'
  | 'contributor_exists'
  | 'contributor_secret_weak'
  | 'contributors_exhausted'
  | 'index_unavailable'
>;

/**
 * Register a pseudonymous contributor.
 *
 * Makes an identity out of nothing but a secret. The answer has the secret once; keep it, for nobody can bring it
 * back. It is no key: it moves no coins. A wallet that derives its own secret sends it instead. A nickname is shown
 * only when `public_display` is true, which it is not unless asked for.
 *
 * @throws {RegisterContributorError}
 * @example
 * const answer = await registerContributor(client, { nickname: 'Ada', public_display: true });
 */
export function registerContributor(
  client: Client,
  params: RegisterContributorParams,
  options?: CallOptions,
): Promise<RegisterContributorResult> {
  return client.request({ method: 'POST', path: '/api/treasury/contributors', body: params }, options);
}
