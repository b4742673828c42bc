import type { RotatedSecretJson, SecretRotationQuery } from '@coinfront/api/webhooks.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, MerchantChangeErrorCode } from '../client/error-codes.ts';

export type RotateWebhookSecretParams = ParamsOf<typeof SecretRotationQuery>;
export type RotateWebhookSecretResult = RotatedSecretJson;
export type RotateWebhookSecretError = CoinfrontError<CallErrorCode | MerchantChangeErrorCode>;

/**
 * Replace the webhook secret.
 *
 * Shows a new secret, once. For 24 hours both are valid: `webhook-signature` carries a signature of each, and
 * `X-COIN-Pay-Signature` is still made with the old one, so receivers that do not know the new one yet go on. Let
 * receivers accept both, then drop the old one. Rotating again meanwhile takes nothing from the old one.
 *
 * @throws {RotateWebhookSecretError}
 * @example
 * const webhookSecret = await rotateWebhookSecret(client);
 */
export function rotateWebhookSecret(
  client: Client,
  params: RotateWebhookSecretParams = {},
  options?: CallOptions,
): Promise<RotateWebhookSecretResult> {
  return client.request(
    { method: 'POST', path: '/api/v1/merchant/webhook-secret/rotate', params, authorised: true },
    options,
  );
}
