import type { LeftoverJson, RefundParams, RefundSentBody } from '@coinfront/api/refunds.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type SendRefundParams = ParamsOf<typeof RefundParams, typeof RefundSentBody>;
export type SendRefundResult = LeftoverJson;
export type SendRefundError = CoinfrontError<
  | CallErrorCode
  | MerchantChangeErrorCode
  | BodyErrorCode
  | 'payment_not_found'
  | 'refund_not_found'
  | 'refund_closed'
  | 'refund_output_missing'
  | 'refund_transaction_refused'
  | 'refund_transaction_stands'
  | 'refunds_exhausted'
  | 'not_ready'
>;

/**
 * Name the transaction that pays a refund.
 *
 * It is looked up: it must have an output of at least the amount to the address of the refund, and each output serves
 * one refund. What neither chain nor mempool has is kept as `seen: false` and watched, as everything named here is,
 * until it is 100 blocks deep; what is never seen is given up after 14 days, until it is named again. Another one can
 * take its place unless it is in the mempool or in a block: to raise a fee, broadcast the replacement first. Refused is
 * what was in a block before the payment was made, and what paid it. Naming the same twice changes nothing.
 *
 * @throws {SendRefundError}
 * @example
 * const { refunds } = await sendRefund(client, {
 *   payment_id: 'VP-7K3M9QX2C4TB',
 *   refund_id: 'ref_3W8Q1N5TB7XK2M9R4C6Z',
 *   txid,
 * });
 */
export function sendRefund(
  client: Client,
  params: SendRefundParams,
  options?: CallOptions,
): Promise<SendRefundResult> {
  const { payment_id, refund_id, ...body } = params;
  return client.request(
    {
      method: 'POST',
      path: '/api/v1/payments/{payment_id}/refunds/{refund_id}/sent',
      params: { payment_id, refund_id },
      body,
      authorised: true,
    },
    options,
  );
}
