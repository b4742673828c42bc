import type { WebhookEndpointParams } from '@coinfront/api/webhook-endpoints.ts';
import type { DeliveryJson } from '@coinfront/api/webhooks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type TestWebhookParams = ParamsOf<typeof WebhookEndpointParams>;
export type TestWebhookResult = DeliveryJson;
export type TestWebhookError = CoinfrontError<
  CallErrorCode | MerchantChangeErrorCode | 'webhook_not_found' | 'webhook_disabled'
>;

/**
 * Send a test event to a webhook endpoint.
 *
 * An event of the type `webhook.test`, marked as a test and without a payment, is sent to this endpoint only, signed and tried
 * again like any other. The answer is its delivery; read it again to see how it went.
 *
 * @throws {TestWebhookError}
 * @example
 * const delivery = await testWebhook(client, { webhook_id: 'whk_3M8XQ0R5ZK7W2T9B6C4N' });
 */
export function testWebhook(
  client: Client,
  params: TestWebhookParams,
  options?: CallOptions,
): Promise<TestWebhookResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/merchant/webhooks/{webhook_id}/test', params, authorised: true },
    options,
  );
}
