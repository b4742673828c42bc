import type { KeyListJson, KeyListQuery } from '@coinfront/api/merchant-keys.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type ListKeysParams = ParamsOf<typeof KeyListQuery>;
export type ListKeysResult = KeyListJson;
export type ListKeysError = CoinfrontError<CallErrorCode | MerchantErrorCode | CursorErrorCode>;

/**
 * API keys, oldest first.
 *
 * Those that are valid, with the first characters of each. No key is shown twice.
 *
 * @throws {ListKeysError}
 * @example
 * const { items, next_cursor } = await listKeys(client);
 */
export function listKeys(
  client: Client,
  params: ListKeysParams = {},
  options?: CallOptions,
): Promise<ListKeysResult> {
  return client.request({ method: 'GET', path: '/api/v1/merchant/keys', params, authorised: true }, options);
}
