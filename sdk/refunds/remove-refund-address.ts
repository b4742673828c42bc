import type { PaymentParams } from '@coinfront/api/payments.ts';
import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type RemoveRefundAddressParams = ParamsOf<typeof PaymentParams>;
export type RemoveRefundAddressResult = LeftoverJson;
export type RemoveRefundAddressError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | 'payment_not_found'
>;

/**
 * Remove the buyer's address.
 *
 * The first address that is given on the checkout page stands; after this another can be given. Refunds that were made
 * keep theirs.
 *
 * @throws {RemoveRefundAddressError}
 * @example
 * const leftover = await removeRefundAddress(client, { payment_id: 'VP-7K3M9QX2C4TB' });
 */
export function removeRefundAddress(
  client: Client,
  params: RemoveRefundAddressParams,
  options?: CallOptions,
): Promise<RemoveRefundAddressResult> {
  return client.request(
    { method: 'DELETE', path: '/api/v1/payments/{payment_id}/refund-address', params, authorised: true },
    options,
  );
}
