import type { MerchantPaymentJson, PaymentRequestBody } from '@coinfront/api/payments.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, MerchantChangeErrorCode, ReadErrorCode } from '../client/error-codes.ts';

export type CreatePaymentParams = ParamsOf<typeof PaymentRequestBody> & {
  /** The same key asks for the same payment: send it again when no answer came. */
  idempotency_key?: string | undefined;
};
export type CreatePaymentResult = MerchantPaymentJson;
export type CreatePaymentError = CoinfrontError<
  | ReadErrorCode
  | MerchantChangeErrorCode
  | BodyErrorCode
  | 'amount_invalid'
  | 'currency_unknown'
  | 'rate_unavailable'
  | 'address_invalid'
  | 'recipient_busy'
  | 'recipient_too_active'
  | 'order_id_used'
  | 'address_in_pool'
  | 'idempotency_key_in_use'
  | 'confirmations_too_few'
  | 'webhook_url_refused'
  | 'return_url_refused'
  | 'names_unavailable'
  | 'recipient_unresolved'
  | 'idempotency_key_reused'
  | 'pool_exhausted'
>;

/**
 * Create a payment request.
 *
 * Asks for an amount, or for the coins that a `price` is at the rate of now, to a given recipient or to an address of the
 * pool. Show the payer `checkout_url`, or the `payment_uri` as a link and QR code. What the address had received before
 * is never counted. Send an `Idempotency-Key`, so that a request whose answer was lost can be sent again; an answer that
 * is given again has the header `Idempotency-Replayed: true`. `order_id` and `metadata` are for you alone; with
 * `unique_order_id` an order has one payment that is under way or paid.
 *
 * @throws {CreatePaymentError}
 * @example
 * const payment = await createPayment(client, {
 *   recipient: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
 *   amount: '0.05000000',
 *   description: 'Order 10023',
 *   confirmations_required: 2,
 *   expires_in: 3600,
 *   order_id: '10023',
 *   webhook_url: 'https://shop.example/webhooks/coin',
 *   return_url: 'https://shop.example/orders/10023',
 * });
 */
export function createPayment(
  client: Client,
  params: CreatePaymentParams,
  options?: CallOptions,
): Promise<CreatePaymentResult> {
  const { idempotency_key, ...body } = params;
  return client.request(
    {
      method: 'POST',
      path: '/api/v1/payments',
      body,
      ...(idempotency_key === undefined ? {} : { headers: { 'Idempotency-Key': idempotency_key } }),
      authorised: true,
    },
    options,
  );
}
