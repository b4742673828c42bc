import type { CheckoutSettingsBody, CheckoutSettingsJson } from '@coinfront/api/checkout.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type PutCheckoutSettingsParams = ParamsOf<typeof CheckoutSettingsBody>;
export type PutCheckoutSettingsResult = CheckoutSettingsJson;
export type PutCheckoutSettingsError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | BodyErrorCode | 'mark_invalid' | 'embed_origin_refused'
>;

/**
 * Set up the checkout page.
 *
 * Takes the place of all that was set up before, from the next time that a page is loaded: what is left out is as at the
 * beginning. Read the settings, change them, and send them back.
 *
 * @throws {PutCheckoutSettingsError}
 * @example
 * const settings = await putCheckoutSettings(client, {
 *   ...(await getCheckoutSettings(client)),
 *   embed_origins: ['https://shop.example'],
 * });
 */
export function putCheckoutSettings(
  client: Client,
  params: PutCheckoutSettingsParams,
  options?: CallOptions,
): Promise<PutCheckoutSettingsResult> {
  return client.request(
    { method: 'PUT', path: '/api/v1/merchant/checkout', body: params, authorised: true },
    options,
  );
}
