import type { CreatedKeyJson, KeyRequestBody } from '@coinfront/api/merchant-keys.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type CreateKeyParams = ParamsOf<typeof KeyRequestBody>;
export type CreateKeyResult = CreatedKeyJson;
export type CreateKeyError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | BodyErrorCode | 'keys_exhausted'
>;

/**
 * Make an API key.
 *
 * With a name and a scope: `read` for what only reads, `create` for a shop that makes and cancels payments, `all` for
 * everything. The key is shown this once.
 *
 * @throws {CreateKeyError}
 * @example
 * const { key } = await createKey(client, { name: 'Web shop', scope: 'create' });
 */
export function createKey(
  client: Client,
  params: CreateKeyParams,
  options?: CallOptions,
): Promise<CreateKeyResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/merchant/keys', body: params, authorised: true },
    options,
  );
}
