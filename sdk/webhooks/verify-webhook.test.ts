import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signWebhook } from '../../service/src/webhooks/sign-webhook.ts';
import { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = makeSecret();
const event = {
  id: 'evt_1',
  type: 'pool.low',
  created_at: '2026-03-01T12:00:00.000Z',
  sequence: 7,
  data: { ready: 3, threshold: 10, 'größe ✓': '\u2028' },
};
const body = JSON.stringify(event);
const nowMs = Date.now();

const sign = (secrets = [secret], given: string = body, atMs = nowMs) =>
  signWebhook({ eventId: event.id, body: Buffer.from(given), secrets, nowMs: atMs });

function only(headers: Record<string, string>, kind: 'standard' | 'coin'): Record<string, string> {
  const isWanted = (name: string) => name.startsWith('webhook-') === (kind === 'standard');
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isWanted(name)));
}

const codeOf = (
  headers: WebhookHeaders,
  given: string | Uint8Array = body,
  secrets: string | string[] = secret,
  options: VerifyOptions = { acceptWithoutTimestamp: true },
) =>
  verifyWebhook(given, headers, secrets, options).then(
    () => 'verified',
    (error: { name: string; code: string }) => {
      expect(error.name).toBe('WebhookVerificationError');
      return error.code;
    },
  );

describe.each(['standard', 'coin'] as const)('headers of kind %s', (kind) => {
  const headers = only(sign(), kind);

  test('verify the body as text and as bytes', async () => {
    const options = { acceptWithoutTimestamp: kind === 'coin' };
    expect(await verifyWebhook(body, headers, secret, options)).toEqual(event);
    expect(await verifyWebhook(Buffer.from(body), headers, secret, options)).toEqual(event);
    expect(await verifyWebhook(new TextEncoder().encode(body), headers, secret, options)).toEqual(event);
  });

  test('are found in Headers, in any case, and in lists of one', async () => {
    const entries = Object.entries(headers);
    expect(await codeOf(new Headers(headers))).toBe('verified');
    expect(await codeOf(Object.fromEntries(entries.map(([name, each]) => [name.toUpperCase(), each])))).toBe(
      'verified',
    );
    expect(await codeOf(Object.fromEntries(entries.map(([name, each]) => [name, [each]])))).toBe('verified');
    expect(await codeOf(Object.fromEntries(entries.map(([name, each]) => [name, [each, each]])))).toBe(
      'headers_missing',
    );
  });

  test('do not verify another body, not even the same JSON written anew', async () => {
    expect(await codeOf(headers, body.replace('"ready":3', '"ready":4'))).toBe('signature_mismatch');
    expect(await codeOf(headers, `${body}\n`)).toBe('signature_mismatch');
    expect(await codeOf(headers, JSON.stringify(event, null, 1))).toBe('signature_mismatch');
    expect(await codeOf(headers, '')).toBe('signature_mismatch');
  });

  test('verify with one of several secrets', async () => {
    expect(await codeOf(headers, body, makeSecret())).toBe('signature_mismatch');
    expect(await codeOf(headers, body, [makeSecret(), secret])).toBe('verified');
  });

  test('verify throughout a rotation, whichever secret the receiver has until the old one ends', async () => {
    const next = makeSecret();
    const overlapping = only(sign([secret, next]), kind);
    expect(await codeOf(overlapping)).toBe('verified');
    expect(await codeOf(overlapping, body, [next, secret])).toBe('verified');
    expect(await codeOf(overlapping, body, next)).toBe(
      kind === 'standard' ? 'verified' : 'signature_mismatch',
    );
  });

  test.each([
    '',
    'secret',
    'whsec_',
    'whsec_!!!!!!!!!!!!!!!!!!!!',
    secret.slice(6),
    `${secret}=`,
    `whsec_${'A'.repeat(17)}`,
  ])('need a secret; "%s" is none', async (none) => {
    expect(await codeOf(headers, body, none)).toBe('secret_invalid');
    expect(await codeOf(headers, body, [secret, none])).toBe('secret_invalid');
    expect(await codeOf(headers, body, [])).toBe('secret_invalid');
  });

  test.each(['', 'null', '[]', '"text"', '{}', '{"id":"evt_1"}', 'not JSON', '{"id":1,"type":2}'])(
    'on a signed body that is no event: %s',
    async (other) => expect(await codeOf(only(sign([secret], other), kind), other)).toBe('body_invalid'),
  );

  test('on signed bytes that are no UTF-8', async () => {
    const bytes = Buffer.from([0x22, 0xff, 0x22]);
    const signed = signWebhook({ eventId: 'a', body: bytes, secrets: [secret], nowMs });
    expect(await codeOf(only(signed, kind), bytes)).toBe('body_invalid');
  });
});

test('a signature without a timestamp is refused unless the receiver takes it: it could be years old', async () => {
  const headers = only(sign(), 'coin');
  expect(await codeOf(headers, body, secret, {})).toBe('headers_missing');
  expect(await codeOf({ ...headers, 'webhook-id': 'evt_1' }, body, secret, {})).toBe('headers_missing');
  expect(await codeOf(headers, body, secret, { acceptWithoutTimestamp: false })).toBe('headers_missing');
  expect(await codeOf(headers, body, secret, { acceptWithoutTimestamp: true })).toBe('verified');
  expect(await codeOf(sign(), body, secret, {})).toBe('verified');
});

describe('the Standard Webhooks library', () => {
  test('makes signatures that verify here', async () => {
    const at = new Date();
    const headers = {
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(event.id, at, body),
    };
    expect(await verifyWebhook(body, headers, secret)).toEqual(event);
  });

  test('verifies what the service signs', () => {
    const next = makeSecret();
    const headers = sign([secret, next]);
    for (const each of [secret, next]) expect(new Webhook(each).verify(body, headers)).toEqual(event);
  });
});

test('X-COIN-Pay-Signature is HMAC-SHA256 of the body with the text of the oldest secret', () => {
  const mac = createHmac('sha256', Buffer.from(secret, 'utf8')).update(body, 'utf8').digest('hex');
  expect(sign([secret, makeSecret()])['x-coin-pay-signature']).toBe(`sha256=${mac}`);
});

describe('timestamps', () => {
  const at = (seconds: number) => only(sign([secret], body, nowMs + seconds * 1000), 'standard');
  const now = () => nowMs;

  test.each([
    [0, 'verified'],
    [-300, 'verified'],
    [300, 'verified'],
    [-301, 'timestamp_too_old'],
    [301, 'timestamp_too_new'],
  ])('%d s from now: %s', async (seconds, code) => {
    expect(await codeOf(at(seconds), body, secret, { now })).toBe(code);
  });

  test('may be further away when the receiver says so', async () => {
    expect(await codeOf(at(-3_600), body, secret, { now, toleranceSeconds: 3_600 })).toBe('verified');
    expect(await codeOf(at(-6), body, secret, { now, toleranceSeconds: 5 })).toBe('timestamp_too_old');
  });

  test.each(['', '-1', '1.5', '1e9', 'now', ' 1', '9'.repeat(13)])('"%s" is none', async (timestamp) => {
    expect(await codeOf({ ...sign(), 'webhook-timestamp': timestamp })).toBe('timestamp_malformed');
  });

  test('are signed', async () => {
    const timestamp = String(Math.floor(nowMs / 1000) - 1);
    expect(await codeOf({ ...sign(), 'webhook-timestamp': timestamp })).toBe('signature_mismatch');
    expect(await codeOf({ ...sign(), 'webhook-id': 'evt_2' })).toBe('signature_mismatch');
  });
});

test.each([
  [{ 'x-coin-pay-signature': 'a'.repeat(64) }, 'signature_malformed'],
  [{ 'x-coin-pay-signature': 'sha256=abc' }, 'signature_malformed'],
  [{ 'x-coin-pay-signature': `sha1=${'a'.repeat(64)}` }, 'signature_malformed'],
  [{ 'x-coin-pay-signature': `sha256=${'a'.repeat(64)}` }, 'signature_mismatch'],
  [{}, 'headers_missing'],
  [{ 'webhook-id': 'a', 'webhook-timestamp': '1' }, 'headers_missing'],
])('headers %j are refused: %s', async (headers, code) => {
  expect(await codeOf(headers)).toBe(code);
});

test.each(['', 'v1,', 'v1,abc', 'v2,abc', `v1a,${'a'.repeat(43)}=`])(
  'the signatures "%s" are none',
  async (signatures) => {
    expect(await codeOf({ ...sign(), 'webhook-signature': signatures })).toBe('signature_malformed');
  },
);

test('a stale timestamp is not saved by the other header, which has none', async () => {
  const stale = sign([secret], body, nowMs - 3_600_000);
  expect(await codeOf(stale)).toBe('timestamp_too_old');
});
