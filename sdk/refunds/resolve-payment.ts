import type { PaymentParams } from '@coinfront/api/payments.ts';
import type { LeftoverJson, ResolveBody } from '@coinfront/api/refunds.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type ResolvePaymentParams = ParamsOf<typeof PaymentParams, typeof ResolveBody>;
export type ResolvePaymentResult = LeftoverJson;
export type ResolvePaymentError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | BodyErrorCode | 'payment_not_found' | 'nothing_to_refund'
>;

/**
 * Let be what is left over.
 *
 * Takes the payment from the list of unsettled ones by your word, which is kept with time and amount: it was settled
 * elsewhere, or is not worth sending back. More money after that brings it back. Asking twice changes nothing.
 *
 * @throws {ResolvePaymentError}
 * @example
 * const leftover = await resolvePayment(client, {
 *   payment_id: 'VP-7K3M9QX2C4TB',
 *   note: 'Settled in the shop, in cash.',
 * });
 */
export function resolvePayment(
  client: Client,
  params: ResolvePaymentParams,
  options?: CallOptions,
): Promise<ResolvePaymentResult> {
  const { payment_id, ...body } = params;
  return client.request(
    {
      method: 'POST',
      path: '/api/v1/payments/{payment_id}/resolve',
      params: { payment_id },
      body,
      authorised: true,
    },
    options,
  );
}
