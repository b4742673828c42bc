import type { ProfileBody, ProfileJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type UpdateContributorParams = ParamsOf<typeof ProfileBody>;
export type UpdateContributorResult = ProfileJson;
export type UpdateContributorError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'nickname_invalid'
  | 'contributor_secret_invalid'
  | 'treasury_not_configured'
  | 'nickname_taken'
  | 'index_unavailable'
>;

/**
 * Change nickname and public display.
 *
 * Changes what is given and leaves the rest; `nickname: null` takes the nickname away. It holds for all that the
 * contributor ever gave: a hidden contributor is "Anonymous" in ledger and leaderboard at once.
 *
 * @throws {UpdateContributorError}
 * @example
 * const answer = await updateContributor(client, {
 *   contributor_secret: '9f2c71d0…',
 *   nickname: 'Ada',
 *   public_display: false,
 * });
 */
export function updateContributor(
  client: Client,
  params: UpdateContributorParams,
  options?: CallOptions,
): Promise<UpdateContributorResult> {
  return client.request({ method: 'POST', path: '/api/treasury/profile', body: params }, options);
}
