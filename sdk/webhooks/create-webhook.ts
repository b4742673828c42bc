import type { WebhookEndpointBody, WebhookEndpointJson } from '@coinfront/api/webhook-endpoints.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { BodyErrorCode, CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type CreateWebhookParams = ParamsOf<typeof WebhookEndpointBody>;
export type CreateWebhookResult = WebhookEndpointJson;
export type CreateWebhookError = CoinfrontError<
  | CallErrorCode
  | MerchantChangeErrorCode
  | BodyErrorCode
  | 'webhook_url_refused'
  | 'webhook_exists'
  | 'webhooks_exhausted'
>;

/**
 * Add a webhook endpoint.
 *
 * From now on it gets every event of the types that it names, signed with the webhook secret of the merchant, besides the
 * `webhook_url` of the payment or the merchant. One URL never gets an event twice.
 *
 * @throws {CreateWebhookError}
 * @example
 * const webhook = await createWebhook(client, {
 *   url: 'https://books.example/coin',
 *   events: ['payment.paid', 'payment.overpaid', 'payment.reorged'],
 * });
 */
export function createWebhook(
  client: Client,
  params: CreateWebhookParams,
  options?: CallOptions,
): Promise<CreateWebhookResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/merchant/webhooks', body: params, authorised: true },
    options,
  );
}
