import type { WebhookEndpointJson, WebhookEndpointParams } from '@coinfront/api/webhook-endpoints.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type DeleteWebhookParams = ParamsOf<typeof WebhookEndpointParams>;
export type DeleteWebhookResult = WebhookEndpointJson;
export type DeleteWebhookError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | 'webhook_not_found'
>;

/**
 * Delete a webhook endpoint.
 *
 * Answers with what it was. What waits to be sent to it is ended; its deliveries stay listed.
 *
 * @throws {DeleteWebhookError}
 * @example
 * await deleteWebhook(client, { webhook_id: 'whk_3M8XQ0R5ZK7W2T9B6C4N' });
 */
export function deleteWebhook(
  client: Client,
  params: DeleteWebhookParams,
  options?: CallOptions,
): Promise<DeleteWebhookResult> {
  return client.request(
    { method: 'DELETE', path: '/api/v1/merchant/webhooks/{webhook_id}', params, authorised: true },
    options,
  );
}
