import type { DeliveryListJson, DeliveryListQuery } from '@coinfront/api/webhooks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type ListDeliveriesParams = ParamsOf<typeof DeliveryListQuery>;
export type ListDeliveriesResult = DeliveryListJson;
export type ListDeliveriesError = CoinfrontError<CallErrorCode | MerchantErrorCode | CursorErrorCode>;

/**
 * Events on their way to receivers, newest first.
 *
 * Each with its tries. Ask for `state=dead` to find what never arrived.
 *
 * @throws {ListDeliveriesError}
 * @example
 * const { items, next_cursor } = await listDeliveries(client);
 */
export function listDeliveries(
  client: Client,
  params: ListDeliveriesParams = {},
  options?: CallOptions,
): Promise<ListDeliveriesResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/merchant/deliveries', params, authorised: true },
    options,
  );
}
