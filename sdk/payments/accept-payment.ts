import type { MerchantPaymentJson, PaymentParams } from '@coinfront/api/payments.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type AcceptPaymentParams = ParamsOf<typeof PaymentParams>;
export type AcceptPaymentResult = MerchantPaymentJson;
export type AcceptPaymentError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | 'payment_not_found' | 'payment_not_acceptable' | 'recipient_busy'
>;

/**
 * Accept what came as enough.
 *
 * For a payment that is expired, cancelled or underpaid, or reorged with less than its amount, and that money came for. All
 * that is there now, late or not, is its `accepted_amount`: it is paid once so much has the confirmations that it
 * requires. The new status follows with the next look at the chain, usually within a second, and with its event.
 * Accepting twice changes nothing.
 *
 * @throws {AcceptPaymentError}
 * @example
 * const payment = await acceptPayment(client, { payment_id: 'VP-7K3M9QX2C4TB' });
 */
export function acceptPayment(
  client: Client,
  params: AcceptPaymentParams,
  options?: CallOptions,
): Promise<AcceptPaymentResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/payments/{payment_id}/accept', params, authorised: true },
    options,
  );
}
