import type { DeliveryJson, DeliveryParams } from '@coinfront/api/webhooks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type RedeliverParams = ParamsOf<typeof DeliveryParams>;
export type RedeliverResult = DeliveryJson;
export type RedeliverError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | 'delivery_not_found' | 'delivery_pending' | 'webhook_disabled'
>;

/**
 * Deliver an event again.
 *
 * What has ended - delivered, dead or disabled - is sent again at once, the same bytes, with a schedule of its own. A
 * receiver that was disabled by a 410 gets events again from then on.
 *
 * @throws {RedeliverError}
 * @example
 * const answer = await redeliver(client, { delivery_id: 'dlv_0T5Z8Q2M7XK4R9WB6C3N' });
 */
export function redeliver(
  client: Client,
  params: RedeliverParams,
  options?: CallOptions,
): Promise<RedeliverResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/merchant/deliveries/{delivery_id}/redeliver', params, authorised: true },
    options,
  );
}
