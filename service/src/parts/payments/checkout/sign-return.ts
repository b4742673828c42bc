/** The way back to the shop, with what the shop can check by its webhook secret: which payment, and how it stands. */

import { createHmac } from 'node:crypto';
import type { PaymentStatus } from '@coinfront/api/payments.ts';

/** What is told to the shop. */
export type Return = {
  /** As the merchant gave it, checked: it has none of the parameters that are added. */
  returnUrl: string;
  paymentId: string;
  status: PaymentStatus;
  /** Valid webhook secrets, `whsec_…`. */
  secrets: readonly string[];
  nowMs: number;
};

const secretPrefix = 'whsec_';

/**
 * The address with `payment_id`, `status`, `timestamp` (Unix seconds) and `signature`: hex HMAC-SHA256 of
 * `payment_id.status.timestamp`, one for each secret, with dots between. The key is what the base64 of the secret decodes to.
 */
export function signReturn({ returnUrl, paymentId, status, secrets, nowMs }: Return): string {
  const timestamp = Math.floor(nowMs / 1_000);
  const signed = `${paymentId}.${status}.${timestamp}`;
  const signatures = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
      .update(signed)
      .digest('hex'),
  );
  const url = new URL(returnUrl);
  const added = `payment_id=${paymentId}&status=${status}&timestamp=${timestamp}&signature=${signatures.join('.')}`;
  // Not by URLSearchParams, which would write the merchant's own parameters anew.
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url.href;
}
