import type { KeyJson, KeyParams } from '@coinfront/api/merchant-keys.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type RevokeKeyParams = ParamsOf<typeof KeyParams>;
export type RevokeKeyResult = KeyJson;
export type RevokeKeyError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | 'key_not_found' | 'key_is_last'
>;

/**
 * Revoke an API key.
 *
 * At once; answers with what it was. A key may revoke itself, and one that the operator made; the last key of the scope
 * `all` stays.
 *
 * @throws {RevokeKeyError}
 * @example
 * await revokeKey(client, { key_id: 'key_2C4TB5ZK7W2T9XB6C3N0' });
 */
export function revokeKey(
  client: Client,
  params: RevokeKeyParams,
  options?: CallOptions,
): Promise<RevokeKeyResult> {
  return client.request(
    { method: 'DELETE', path: '/api/v1/merchant/keys/{key_id}', params, authorised: true },
    options,
  );
}
