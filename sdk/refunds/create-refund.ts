import type { PaymentParams } from '@coinfront/api/payments.ts';
import type { LeftoverJson, RefundRequestBody } from '@coinfront/api/refunds.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type CreateRefundParams = ParamsOf<typeof PaymentParams, typeof RefundRequestBody> & {
  /** The same key asks for the same refund: send it again when no answer came. */
  idempotency_key?: string | undefined;
};
export type CreateRefundResult = LeftoverJson;
export type CreateRefundError = CoinfrontError<
  | CallErrorCode
  | MerchantChangeErrorCode
  | BodyErrorCode
  | 'payment_not_found'
  | 'amount_invalid'
  | 'address_invalid'
  | 'nothing_to_refund'
  | 'refund_too_early'
  | 'refund_too_large'
  | 'refund_address_missing'
  | 'refunds_exhausted'
  | 'output_dust'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_use'
>;

/**
 * Make a refund.
 *
 * A record of what goes back and where; it sends nothing. Only money that has the confirmations that the payment asked
 * for can go back. All refunds of a payment that are not cancelled are never more than that. Send an `Idempotency-Key`,
 * so that a request whose answer was lost can be sent again.
 *
 * @throws {CreateRefundError}
 * @example
 * const { refunds } = await createRefund(client, { payment_id: 'VP-7K3M9QX2C4TB', idempotency_key: 'refund-10023' });
 */
export function createRefund(
  client: Client,
  params: CreateRefundParams,
  options?: CallOptions,
): Promise<CreateRefundResult> {
  const { payment_id, idempotency_key, ...body } = params;
  return client.request(
    {
      method: 'POST',
      path: '/api/v1/payments/{payment_id}/refunds',
      params: { payment_id },
      body,
      ...(idempotency_key === undefined ? {} : { headers: { 'Idempotency-Key': idempotency_key } }),
      authorised: true,
    },
    options,
  );
}
