import type { PaymentParams } from '@coinfront/api/payments.ts';
import type { LeftoverJson } from '@coinfront/api/refunds.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type GetLeftoverParams = ParamsOf<typeof PaymentParams>;
export type GetLeftoverResult = LeftoverJson;
export type GetLeftoverError = CoinfrontError<CallErrorCode | MerchantErrorCode | 'payment_not_found'>;

/**
 * What is left over of a payment, and its refunds.
 *
 * Of any payment, also where nothing is left over, or nothing is open any more.
 *
 * @throws {GetLeftoverError}
 * @example
 * const { open, refunds } = await getLeftover(client, { payment_id: 'VP-7K3M9QX2C4TB' });
 */
export function getLeftover(
  client: Client,
  params: GetLeftoverParams,
  options?: CallOptions,
): Promise<GetLeftoverResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/payments/{payment_id}/refunds', params, authorised: true },
    options,
  );
}
