/** What verifying webhooks and verifying returns have in common. Runs wherever WebCrypto is. */

/** Why something that says it is from the service was not accepted. */
export type WebhookVerificationCode =
  | 'headers_missing'
  | 'parameters_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'secret_invalid'
  | 'body_invalid';

/** It must not be acted on; to a webhook answer 400. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** A sender carries one signature for each valid secret; this many are looked at. */
export const maxSignatures = 10;
const secretPrefix = 'whsec_';
/** Whole base64, with padding or without: what was cut while it was copied is no secret. */
const secretPattern = /^whsec_([A-Za-z0-9+/]{4}){4,}([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** What was given, as a list, if all of it can be secrets. */
export function checkSecrets(secrets: readonly string[]): readonly string[] {
  const areGood = secrets.every((each) => secretPattern.test(each));
  if (areGood && secrets.length > 0) return secrets;
  throw new WebhookVerificationError(
    'secret_invalid',
    'A webhook secret is whsec_ and base64, as it was shown.',
  );
}

/** The key of the signatures that have a time, from a secret that was checked. */
export function decodeSecret(secret: string): Bytes {
  return decodeBase64(secret.slice(secretPrefix.length));
}

/**
 * Whether a time is not too far from this machine's clock.
 *
 * @param name of what holds it
 * @param text Unix seconds
 */
export function checkTimestamp(
  name: string,
  text: string,
  toleranceSeconds: number,
  now: () => number = Date.now,
): void {
  if (!/^[0-9]{1,12}$/.test(text)) {
    throw new WebhookVerificationError('timestamp_malformed', `${name} is not in Unix seconds.`);
  }
  const aheadSeconds = Number(text) - Math.floor(now() / 1000);
  if (Math.abs(aheadSeconds) <= toleranceSeconds) return;
  const [code, word] =
    aheadSeconds < 0 ? (['timestamp_too_old', 'ago'] as const) : (['timestamp_too_new', 'ahead'] as const);
  throw new WebhookVerificationError(
    code,
    `${name} is ${Math.abs(aheadSeconds)} s ${word}; up to ${toleranceSeconds} s are accepted.`,
  );
}

/** One of the signatures has to be of one of the keys; WebCrypto compares in constant time. */
export async function checkSignatures(
  signatures: readonly Bytes[],
  keys: readonly Bytes[],
  signed: Bytes,
  what: 'body' | 'return',
): Promise<void> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return;
    }
  }
  throw new WebhookVerificationError(
    'signature_mismatch',
    what === 'body'
      ? 'No signature is of this body with this secret. Verify the body exactly as it was received.'
      : 'No signature is of this return with this secret.',
  );
}

/** Text as bytes. */
export function encode(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Base64 as bytes. */
export function decodeBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** Hex as bytes. */
export function readHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
