import type {
  WebhookEndpointChangeBody,
  WebhookEndpointJson,
  WebhookEndpointParams,
} from '@coinfront/api/webhook-endpoints.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type UpdateWebhookParams = ParamsOf<typeof WebhookEndpointParams, typeof WebhookEndpointChangeBody>;
export type UpdateWebhookResult = WebhookEndpointJson;
export type UpdateWebhookError = CoinfrontError<
  | CallErrorCode
  | MerchantChangeErrorCode
  | BodyErrorCode
  | 'webhook_not_found'
  | 'webhook_url_refused'
  | 'webhook_exists'
>;

/**
 * Change a webhook endpoint.
 *
 * A field that is left out stays as it is. Disabling ends what waits to be sent to it. `enabled: true` also lets a receiver that
 * answered 410 have events again. What waits for an earlier URL is still sent there.
 *
 * @throws {UpdateWebhookError}
 * @example
 * const webhook = await updateWebhook(client, { webhook_id: 'whk_3M8XQ0R5ZK7W2T9B6C4N', events: null });
 */
export function updateWebhook(
  client: Client,
  params: UpdateWebhookParams,
  options?: CallOptions,
): Promise<UpdateWebhookResult> {
  const { webhook_id, ...body } = params;
  return client.request(
    {
      method: 'PATCH',
      path: '/api/v1/merchant/webhooks/{webhook_id}',
      params: { webhook_id },
      body,
      authorised: true,
    },
    options,
  );
}
