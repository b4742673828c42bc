import type { DeliveryJson, DeliveryParams } from '@coinfront/api/webhooks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type GetDeliveryParams = ParamsOf<typeof DeliveryParams>;
export type GetDeliveryResult = DeliveryJson;
export type GetDeliveryError = CoinfrontError<CallErrorCode | MerchantErrorCode | 'delivery_not_found'>;

/**
 * One delivery with its tries.
 *
 * What was sent when, and what the receiver answered.
 *
 * @throws {GetDeliveryError}
 * @example
 * const delivery = await getDelivery(client, { delivery_id: 'dlv_0T5Z8Q2M7XK4R9WB6C3N' });
 */
export function getDelivery(
  client: Client,
  params: GetDeliveryParams,
  options?: CallOptions,
): Promise<GetDeliveryResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/merchant/deliveries/{delivery_id}', params, authorised: true },
    options,
  );
}
