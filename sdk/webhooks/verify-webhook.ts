/** The receiver's side of webhooks: is this from the service, and what does it say. Runs wherever WebCrypto is. */

import type { PaymentEventJson, PoolEventJson, TestEventJson } from '@coinfront/api/webhooks.ts';

/** An event whose signature was verified. Tell them apart by `type`. */
export type WebhookEvent = PaymentEventJson | PoolEventJson | TestEventJson;

/** Headers as `fetch`, Node or any framework has them; names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a webhook was not accepted. */
export type WebhookVerificationCode =
  | 'headers_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'secret_invalid'
  | 'body_invalid';

/** The webhook must not be acted on: answer 400. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

export type VerifyOptions = {
  /** How far `webhook-timestamp` may be from this machine's clock, seconds; 300 unless given. */
  toleranceSeconds?: number;
  /** This machine's clock, Unix milliseconds. */
  now?: () => number;
  /**
   * Takes a request whose only signature is `X-COIN-Pay-Signature`. It has no timestamp: whoever has recorded one can send it again
   * years later. False unless given.
   */
  acceptWithoutTimestamp?: boolean;
};

const secretPrefix = 'whsec_';
/** Whole base64, with padding or without: what was cut while it was copied is no secret. */
const secretPattern = /^whsec_([A-Za-z0-9+/]{4}){4,}([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$/;
const defaultToleranceSeconds = 300;
/** A sender carries one signature for each valid secret; this many are looked at. */
const maxSignatures = 10;

/**
 * Verifies a webhook and gives its event.
 *
 * Takes the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), which the service always sends.
 * `X-COIN-Pay-Signature` alone is refused unless `acceptWithoutTimestamp` is set. Either way, act once for each event id.
 *
 * @param body the body exactly as it was received; parsing it and writing it again changes it
 * @param secret the webhook secret (`whsec_…`), or several while they change
 * @throws WebhookVerificationError
 * @example
 * const event = await verifyWebhook(await request.text(), request.headers, webhookSecret);
 * if (event.type === 'payment.paid') await markPaid(event.data.payment.id, event.sequence);
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = typeof body === 'string' ? encode(body) : Uint8Array.from(body);
  const secrets = checkSecrets(typeof secret === 'string' ? [secret] : secret);
  const find = createHeaderReader(headers);
  const standard = {
    id: find('webhook-id'),
    timestamp: find('webhook-timestamp'),
    signatures: find('webhook-signature'),
  };
  if (standard.id !== undefined && standard.timestamp !== undefined && standard.signatures !== undefined) {
    checkTimestamp(standard.timestamp, options);
    const signed = join(encode(`${standard.id}.${standard.timestamp}.`), bytes);
    const keys = secrets.map((each) => decodeBase64(each.slice(secretPrefix.length)));
    await checkSignatures(readStandardSignatures(standard.signatures), keys, signed);
  } else {
    const signature = find('x-coin-pay-signature');
    if (signature === undefined) {
      throw new WebhookVerificationError(
        'headers_missing',
        'Neither webhook-id, webhook-timestamp and webhook-signature nor X-COIN-Pay-Signature are there.',
      );
    }
    if (options.acceptWithoutTimestamp !== true) {
      throw new WebhookVerificationError(
        'headers_missing',
        'webhook-id, webhook-timestamp and webhook-signature are missing: without them nobody knows how old this is.',
      );
    }
    await checkSignatures([readCoinSignature(signature)], secrets.map(encode), bytes);
  }
  return parseEvent(bytes);
}

type Bytes = Uint8Array<ArrayBuffer>;

function checkSecrets(secrets: readonly string[]): readonly string[] {
  const areGood = secrets.every((each) => secretPattern.test(each));
  if (areGood && secrets.length > 0) return secrets;
  throw new WebhookVerificationError(
    'secret_invalid',
    'A webhook secret is whsec_ and base64, as it was shown.',
  );
}

function createHeaderReader(headers: WebhookHeaders): (name: string) => string | undefined {
  // Not by its class: frameworks bring their own.
  if (typeof headers.get === 'function') return (name) => (headers as Headers).get(name) ?? undefined;
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name);
    if (typeof value === 'string' || value === undefined) return value;
    return value.length === 1 ? value[0] : undefined;
  };
}

function checkTimestamp(
  text: string,
  { toleranceSeconds = defaultToleranceSeconds, now = Date.now }: VerifyOptions,
): void {
  if (!/^[0-9]{1,12}$/.test(text)) {
    throw new WebhookVerificationError('timestamp_malformed', 'webhook-timestamp is not in Unix seconds.');
  }
  const aheadSeconds = Number(text) - Math.floor(now() / 1000);
  if (Math.abs(aheadSeconds) <= toleranceSeconds) return;
  const [code, word] =
    aheadSeconds < 0 ? (['timestamp_too_old', 'ago'] as const) : (['timestamp_too_new', 'ahead'] as const);
  throw new WebhookVerificationError(
    code,
    `webhook-timestamp is ${Math.abs(aheadSeconds)} s ${word}; up to ${toleranceSeconds} s are accepted.`,
  );
}

function readStandardSignatures(header: string): Bytes[] {
  const signatures = header
    .split(' ', maxSignatures)
    .filter((each) => /^v1,[A-Za-z0-9+/]{43}=$/.test(each))
    .map((each) => decodeBase64(each.slice(3)));
  if (signatures.length > 0) return signatures;
  throw new WebhookVerificationError('signature_malformed', 'webhook-signature has no signature "v1,…".');
}

function readCoinSignature(header: string): Bytes {
  const hex = /^sha256=([0-9a-fA-F]{64})$/.exec(header)?.[1];
  if (hex === undefined) {
    const detail = 'X-COIN-Pay-Signature is not "sha256=" and 64 hex digits.';
    throw new WebhookVerificationError('signature_malformed', detail);
  }
  return Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));
}

/** One of the signatures has to be of one of the keys; WebCrypto compares in constant time. */
async function checkSignatures(
  signatures: readonly Bytes[],
  keys: readonly Bytes[],
  signed: Bytes,
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
    'No signature is of this body with this secret. Verify the body exactly as it was received.',
  );
}

function parseEvent(bytes: Bytes): WebhookEvent {
  let event: Partial<WebhookEvent> | null;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new WebhookVerificationError('body_invalid', 'The body is signed, but is no JSON.', { cause });
  }
  const { id, type, sequence, data } = event ?? {};
  if (
    typeof id === 'string' &&
    typeof type === 'string' &&
    Number.isSafeInteger(sequence) &&
    typeof data === 'object' &&
    data !== null
  )
    return event as WebhookEvent;
  throw new WebhookVerificationError('body_invalid', 'The body is signed, but is no event.');
}

function encode(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function decodeBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function join(first: Bytes, second: Bytes): Bytes {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
