import type { LeftoverJson, RefundParams } from '@coinfront/api/refunds.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type CancelRefundParams = ParamsOf<typeof RefundParams>;
export type CancelRefundResult = LeftoverJson;
export type CancelRefundError = CoinfrontError<
  | CallErrorCode
  | MerchantChangeErrorCode
  | 'payment_not_found'
  | 'refund_not_found'
  | 'refund_not_cancellable'
  | 'not_ready'
>;

/**
 * Cancel a refund.
 *
 * One that was not sent, or none of whose transactions is in the mempool or in a block; its amount is open again. A
 * transaction that is gone can come back: spend one of its inputs elsewhere first. Cancelling twice changes nothing.
 *
 * @throws {CancelRefundError}
 * @example
 * const { open } = await cancelRefund(client, {
 *   payment_id: 'VP-7K3M9QX2C4TB',
 *   refund_id: 'ref_3W8Q1N5TB7XK2M9R4C6Z',
 * });
 */
export function cancelRefund(
  client: Client,
  params: CancelRefundParams,
  options?: CallOptions,
): Promise<CancelRefundResult> {
  return client.request(
    {
      method: 'POST',
      path: '/api/v1/payments/{payment_id}/refunds/{refund_id}/cancel',
      params,
      authorised: true,
    },
    options,
  );
}
