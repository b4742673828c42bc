import { createHmac } from 'node:crypto';

/** The header by which a plugin knows who sent a webhook: HMAC of exactly these bytes, by the webhook's own secret. */
export function signForShop(body: Uint8Array, secret: string): Record<string, string> {
  return { 'btcpay-sig': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}
