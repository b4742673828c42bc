import type { RefundParams, RefundTransactionBody, RefundTransactionJson } from '@coinfront/api/refunds.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type BuildRefundTransactionParams = ParamsOf<typeof RefundParams, typeof RefundTransactionBody>;
export type BuildRefundTransactionResult = RefundTransactionJson;
export type BuildRefundTransactionError = CoinfrontError<
  | CallErrorCode
  | MerchantChangeErrorCode
  | BodyErrorCode
  | 'not_ready'
  | 'payment_not_found'
  | 'refund_not_found'
  | 'refund_closed'
  | 'address_invalid'
  | 'change_address_refused'
>;

/**
 * An unsigned transaction that pays a refund.
 *
 * A PSBT for your own wallet; the service holds no key and signs nothing. Unless `from` names addresses, it spends what
 * came to the payment's address, which is not enough for amount and fee where all of it goes back: give more addresses.
 * Nothing is reserved, and nothing is sent. `transaction_refused` says why there is none.
 *
 * @throws {BuildRefundTransactionError}
 * @example
 * const { transaction } = await buildRefundTransaction(client, {
 *   payment_id: 'VP-7K3M9QX2C4TB',
 *   refund_id: 'ref_3W8Q1N5TB7XK2M9R4C6Z',
 *   from: [{ address: payment.address }, { address: ownAddress }],
 * });
 */
export function buildRefundTransaction(
  client: Client,
  params: BuildRefundTransactionParams,
  options?: CallOptions,
): Promise<BuildRefundTransactionResult> {
  const { payment_id, refund_id, ...body } = params;
  return client.request(
    {
      method: 'POST',
      path: '/api/v1/payments/{payment_id}/refunds/{refund_id}/transaction',
      params: { payment_id, refund_id },
      body,
      authorised: true,
    },
    options,
  );
}
