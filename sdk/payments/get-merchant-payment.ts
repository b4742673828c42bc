import type { MerchantPaymentJson, PaymentParams } from '@coinfront/api/payments.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type GetMerchantPaymentParams = ParamsOf<typeof PaymentParams>;
export type GetMerchantPaymentResult = MerchantPaymentJson;
export type GetMerchantPaymentError = CoinfrontError<CallErrorCode | MerchantErrorCode | 'payment_not_found'>;

/**
 * A payment with what only its merchant may see.
 *
 * As `GET /payments/{payment_id}`, with `order_id`, `metadata` and the receiver of its events.
 *
 * @throws {GetMerchantPaymentError}
 * @example
 * const { order_id, metadata } = await getMerchantPayment(client, { payment_id: 'VP-7K3M9QX2C4TB' });
 */
export function getMerchantPayment(
  client: Client,
  params: GetMerchantPaymentParams,
  options?: CallOptions,
): Promise<GetMerchantPaymentResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/merchant/payments/{payment_id}', params, authorised: true },
    options,
  );
}
