import type { MeBody, MeJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type ReadContributorParams = ParamsOf<typeof MeBody>;
export type ReadContributorResult = MeJson;
export type ReadContributorError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'contributor_secret_invalid'
  | 'treasury_not_configured'
  | 'index_unavailable'
>;

/**
 * Read a contributor by its secret.
 *
 * The private view: what was chosen, what was contributed, and the intents with their states. A POST, so that the
 * secret stands in no address and no log.
 *
 * @throws {ReadContributorError}
 * @example
 * const answer = await readContributor(client, { contributor_secret: '9f2c71d0…' });
 */
export function readContributor(
  client: Client,
  params: ReadContributorParams,
  options?: CallOptions,
): Promise<ReadContributorResult> {
  return client.request({ method: 'POST', path: '/api/treasury/me', body: params }, options);
}
