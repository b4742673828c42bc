import type { PaymentJson, PaymentParams } from '@coinfront/api/payments.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode } from '../client/error-codes.ts';

export type GetPaymentParams = ParamsOf<typeof PaymentParams>;
export type GetPaymentResult = PaymentJson;
export type GetPaymentError = CoinfrontError<CallErrorCode | 'payment_not_found' | 'index_unavailable'>;

/**
 * Public status of a payment.
 *
 * For the payer, without a key. Whoever knows the identifier may read it; it has 60 random bits. Poll it with
 * `If-None-Match`: as long as nothing has changed the answer is 304.
 *
 * @throws {GetPaymentError}
 * @example
 * const payment = await getPayment(client, { payment_id: 'VP-7K3M9QX2C4TB' });
 */
export function getPayment(
  client: Client,
  params: GetPaymentParams,
  options?: CallOptions,
): Promise<GetPaymentResult> {
  return client.request({ method: 'GET', path: '/api/v1/payments/{payment_id}', params }, options);
}
