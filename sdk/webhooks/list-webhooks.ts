import type { WebhookEndpointListJson, WebhookEndpointListQuery } from '@coinfront/api/webhook-endpoints.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode, MerchantErrorCode } from '../client/error-codes.ts';

export type ListWebhooksParams = ParamsOf<typeof WebhookEndpointListQuery>;
export type ListWebhooksResult = WebhookEndpointListJson;
export type ListWebhooksError = CoinfrontError<CallErrorCode | MerchantErrorCode | CursorErrorCode>;

/**
 * Webhook endpoints, oldest first.
 *
 * Receivers of events besides the `webhook_url` of a payment, or else of the merchant.
 *
 * @throws {ListWebhooksError}
 * @example
 * const { items, next_cursor } = await listWebhooks(client);
 */
export function listWebhooks(
  client: Client,
  params: ListWebhooksParams = {},
  options?: CallOptions,
): Promise<ListWebhooksResult> {
  return client.request(
    { method: 'GET', path: '/api/v1/merchant/webhooks', params, authorised: true },
    options,
  );
}
