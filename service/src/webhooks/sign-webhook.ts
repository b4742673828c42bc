import { createHmac } from 'node:crypto';

/** What is signed. */
export type SignedEvent = {
  eventId: string;
  /** Exactly as it is sent. */
  body: Uint8Array;
  /** Valid secrets, `whsec_…`, the oldest first: one, or two while a rotation overlaps. */
  secrets: readonly string[];
  nowMs: number;
};

const secretPrefix = 'whsec_';

/**
 * The headers that prove where an event comes from.
 *
 * `X-COIN-Pay-Signature` is made with the oldest secret alone: until the overlap ends receivers need not know the new one.
 * The headers of Standard Webhooks (https://www.standardwebhooks.com) carry a signature for each secret.
 */
export function signWebhook({ eventId, body, secrets, nowMs }: SignedEvent): Record<string, string> {
  const [oldest] = secrets;
  if (oldest === undefined) throw new Error('an event cannot be signed without a secret');
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => `v1,${signStandard(secret, eventId, timestamp, body)}`);
  return {
    'x-coin-pay-signature': `sha256=${createHmac('sha256', oldest).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function signStandard(secret: string, eventId: string, timestamp: string, body: Uint8Array): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body).digest('base64');
}
