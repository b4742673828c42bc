import type { MerchantChangeBody, MerchantJson } from '@coinfront/api/merchants.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type UpdateMerchantParams = ParamsOf<typeof MerchantChangeBody>;
export type UpdateMerchantResult = MerchantJson;
export type UpdateMerchantError = CoinfrontError<
  | CallErrorCode
  | MerchantChangeErrorCode
  | BodyErrorCode
  | 'webhook_url_refused'
  | 'confirmations_too_few'
  | 'amount_invalid'
>;

/**
 * Change the merchant of the key.
 *
 * A field that is left out stays as it is; null clears it. Defaults hold for payments that are made from then on.
 *
 * @throws {UpdateMerchantError}
 * @example
 * const merchant = await updateMerchant(client, { name: 'Example books', default_expires_in: 900 });
 */
export function updateMerchant(
  client: Client,
  params: UpdateMerchantParams,
  options?: CallOptions,
): Promise<UpdateMerchantResult> {
  return client.request(
    { method: 'PATCH', path: '/api/v1/merchant', body: params, authorised: true },
    options,
  );
}
