import type { MerchantJson } from '@coinfront/api/merchants.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type GetMerchantResult = MerchantJson;
export type GetMerchantError = CoinfrontError<CallErrorCode | MerchantErrorCode>;

/**
 * The merchant of the key.
 *
 * With the state of its address pool.
 *
 * @throws {GetMerchantError}
 * @example
 * const merchant = await getMerchant(client);
 */
export function getMerchant(client: Client, options?: CallOptions): Promise<GetMerchantResult> {
  return client.request({ method: 'GET', path: '/api/v1/merchant', authorised: true }, options);
}
