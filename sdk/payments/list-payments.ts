import type { PaymentList, PaymentListQuery } from '@coinfront/api/payment-lists.ts';
import type { Static } from 'typebox';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type ListPaymentsParams = ParamsOf<typeof PaymentListQuery>;
export type ListPaymentsResult = Static<typeof PaymentList>;
export type ListPaymentsError = CoinfrontError<CallErrorCode | MerchantErrorCode | CursorErrorCode>;

/**
 * The merchant's payments, newest first.
 *
 * All of them, or those that fit everything asked for: statuses, an order, the time they were made in, and what `q`
 * names: an identifier, an address, a txid, an `order_id`, or else words of the description in the case of ASCII ignored.
 * A request looks at 5,000 payments at most, so a rare status or word may give short pages; follow `next_cursor` until it
 * is null.
 *
 * @throws {ListPaymentsError}
 * @example
 * const { items, next_cursor } = await listPayments(client, { status: 'paid,overpaid', created_from: '2026-03-01' });
 */
export function listPayments(
  client: Client,
  params: ListPaymentsParams = {},
  options?: CallOptions,
): Promise<ListPaymentsResult> {
  return client.request({ method: 'GET', path: '/api/v1/payments', params, authorised: true }, options);
}
