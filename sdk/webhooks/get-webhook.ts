import type { WebhookEndpointJson, WebhookEndpointParams } from '@coinfront/api/webhook-endpoints.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type GetWebhookParams = ParamsOf<typeof WebhookEndpointParams>;
export type GetWebhookResult = WebhookEndpointJson;
export type GetWebhookError = CoinfrontError<CallErrorCode | MerchantErrorCode | 'webhook_not_found'>;

/**
 * One webhook endpoint.
 *
 * Where it leads, which events it gets, and whether its receiver answered 410.
 *
 * @throws {GetWebhookError}
 * @example
 * const webhook = await getWebhook(client, { webhook_id: 'whk_3M8XQ0R5ZK7W2T9B6C4N' });
 */
export function getWebhook(
  client: Client,
  params: GetWebhookParams,
  options?: CallOptions,
): Promise<GetWebhookResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/merchant/webhooks/{webhook_id}', params, authorised: true },
    options,
  );
}
