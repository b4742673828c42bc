import type { NewIntentBody, NewIntentJson } from '@coinfront/api/treasury.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode } from '../client/error-codes.ts';

export type CreateIntentParams = ParamsOf<typeof NewIntentBody>;
export type CreateIntentResult = NewIntentJson;
export type CreateIntentError = CoinfrontError<
  | CallErrorCode
  | BodyErrorCode
  | 'amount_invalid'
  | 'address_invalid'
  | 'contributor_secret_invalid'
  | 'treasury_not_configured'
  | 'exact_amounts_exhausted'
  | 'intents_exhausted'
  | 'service_behind_node'
  | 'index_unavailable'
>;

/**
 * Create a uniquely tagged contribution request.
 *
 * Two ways to pay so that the contribution is recognised by itself, each once: exactly `exact_amount` to `address`,
 * from any wallet; or any amount together with the output `carrier`, which is the strong form. Nobody is credited for
 * naming a transaction. With an `address` of the caller a PSBT that does both comes along, to be signed at home. What
 * comes until `closes_at` is still credited, as late; `exact_amount` is nobody else's before. An intent takes one
 * transaction.
 *
 * @throws {CreateIntentError}
 * @example
 * const intent = await createIntent(client, { contributor_secret: '9f2c71d0…', amount: '1' });
 */
export function createIntent(
  client: Client,
  params: CreateIntentParams,
  options?: CallOptions,
): Promise<CreateIntentResult> {
  return client.request({ method: 'POST', path: '/api/treasury/intents', body: params }, options);
}
