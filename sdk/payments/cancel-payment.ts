import type { MerchantPaymentJson, PaymentParams } from '@coinfront/api/payments.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type CancelPaymentParams = ParamsOf<typeof PaymentParams>;
export type CancelPaymentResult = MerchantPaymentJson;
export type CancelPaymentError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | 'payment_not_found' | 'payment_not_cancellable'
>;

/**
 * Cancel a payment.
 *
 * Any payment that is neither settled nor expired, whatever was seen of it; also one that is `reorged`. What was there
 * stays in `received`; what comes from then on is late and told as `payment.late`. Cancelling twice changes nothing.
 *
 * @throws {CancelPaymentError}
 * @example
 * const payment = await cancelPayment(client, { payment_id: 'VP-7K3M9QX2C4TB' });
 */
export function cancelPayment(
  client: Client,
  params: CancelPaymentParams,
  options?: CallOptions,
): Promise<CancelPaymentResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/payments/{payment_id}/cancel', params, authorised: true },
    options,
  );
}
