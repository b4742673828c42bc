import type { CheckoutSettingsJson } from '@coinfront/api/checkout.ts';
import type { CallOptions, Client } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type GetCheckoutSettingsResult = CheckoutSettingsJson;
export type GetCheckoutSettingsError = CoinfrontError<CallErrorCode | MerchantErrorCode>;

/**
 * How the checkout page is set up.
 *
 * The name and the mark that payers see, and who may have the page in a frame.
 *
 * @throws {GetCheckoutSettingsError}
 * @example
 * const settings = await getCheckoutSettings(client);
 */
export function getCheckoutSettings(
  client: Client,
  options?: CallOptions,
): Promise<GetCheckoutSettingsResult> {
  return client.request({ method: 'GET', path: '/api/v1/merchant/checkout', authorised: true }, options);
}
