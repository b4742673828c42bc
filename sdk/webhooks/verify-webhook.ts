/** The receiver's side of webhooks: is this from the service, and what does it say. Runs wherever WebCrypto is. */

import type { NodeAlertJson } from '@coinfront/api/registry.ts';
import type {
  PaymentEventJson,
  PoolEventJson,
  RefundEventJson,
  TestEventJson,
} from '@coinfront/api/webhooks.ts';
import {
  type Bytes,
  checkSecrets,
  checkSignatures,
  checkTimestamp,
  decodeBase64,
  decodeSecret,
  encode,
  maxSignatures,
  readHex,
  WebhookVerificationError,
} from './signatures.ts';

export { type WebhookVerificationCode, WebhookVerificationError } from './signatures.ts';

/** An event whose signature was verified. Tell them apart by `type`. */
export type WebhookEvent = PaymentEventJson | PoolEventJson | RefundEventJson | TestEventJson;

/** Headers as `fetch`, Node or any framework has them; names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

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

const defaultToleranceSeconds = 300;

/**
 * Verifies a webhook and gives its event.
 *
 * Takes the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), which the service always sends.
 * `X-COIN-Pay-Signature` alone is refused unless `acceptWithoutTimestamp` is set. Either way, act once for each event id.
 *
 * Alerts of the node registry are signed the same way: `verifyWebhook<NodeAlertJson>(…)`.
 *
 * @param body the body exactly as it was received; parsing it and writing it again changes it
 * @param secret the webhook secret (`whsec_…`), or several while they change
 * @throws WebhookVerificationError
 * @example
 * const event = await verifyWebhook(await request.text(), request.headers, webhookSecret);
 * if (event.type === 'payment.paid') await markPaid(event.data.payment.id, event.sequence);
 */
export async function verifyWebhook<Event extends WebhookEvent | NodeAlertJson = WebhookEvent>(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<Event> {
  const bytes = typeof body === 'string' ? encode(body) : Uint8Array.from(body);
  const secrets = checkSecrets(typeof secret === 'string' ? [secret] : secret);
  const find = createHeaderReader(headers);
  const standard = {
    id: find('webhook-id'),
    timestamp: find('webhook-timestamp'),
    signatures: find('webhook-signature'),
  };
  if (standard.id !== undefined && standard.timestamp !== undefined && standard.signatures !== undefined) {
    const { toleranceSeconds = defaultToleranceSeconds, now } = options;
    checkTimestamp('webhook-timestamp', standard.timestamp, toleranceSeconds, now);
    const signed = join(encode(`${standard.id}.${standard.timestamp}.`), bytes);
    const keys = secrets.map(decodeSecret);
    await checkSignatures(readStandardSignatures(standard.signatures), keys, signed, 'body');
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
    await checkSignatures([readCoinSignature(signature)], secrets.map(encode), bytes, 'body');
  }
  return parseEvent(bytes) as Event;
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
  return readHex(hex);
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

function join(first: Bytes, second: Bytes): Bytes {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
