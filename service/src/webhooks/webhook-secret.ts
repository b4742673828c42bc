import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A new secret of a receiver, in the form of Standard Webhooks. It signs, so it has to be known: it cannot be kept as a hash. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
