import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { signReturn } from '../../service/src/parts/payments/checkout/sign-return.ts';
import { type VerifyReturnOptions, verifyReturn } from './verify-return.ts';

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = makeSecret();
const nowMs = 1_800_000_000_000;
const now = () => nowMs;

const sign = (returnUrl = 'https://shop.example/orders/1043', secrets = [secret]) =>
  signReturn({ returnUrl, paymentId: 'VP-0123456789AB', status: 'paid', secrets, nowMs });

const codeOf = (url: string, given: string | string[] = secret, options: VerifyReturnOptions = {}) =>
  verifyReturn(url, given, { now, ...options }).then(
    () => 'verified',
    (error: { name: string; code: string }) => {
      expect(error.name).toBe('WebhookVerificationError');
      return error.code;
    },
  );

test('what the page signs is what the shop reads, from a URL, its query, or the path that a server is asked for', async () => {
  const url = new URL(sign());
  for (const given of [url, url.href, url.searchParams, `${url.pathname}${url.search}`, `${url.href}#top`]) {
    expect(await verifyReturn(given, secret, { now })).toEqual({
      payment_id: 'VP-0123456789AB',
      status: 'paid',
      at: new Date(nowMs),
    });
  }
});

test('the signature is what the documents say: hex HMAC-SHA256 of payment_id.status.timestamp', () => {
  const { searchParams } = new URL(sign());
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `VP-0123456789AB.paid.${nowMs / 1_000}`;
  expect(Object.fromEntries(searchParams)).toEqual({
    payment_id: 'VP-0123456789AB',
    status: 'paid',
    timestamp: String(nowMs / 1_000),
    signature: createHmac('sha256', key).update(signed).digest('hex'),
  });
});

test('the parameters and the fragment of the shop stay as they were', async () => {
  const url = sign('https://shop.example/?order=a%20b+c&empty#/orders/1043');
  expect(url).toMatch(/^https:\/\/shop\.example\/\?order=a%20b\+c&empty&payment_id=/);
  expect(url).toMatch(/#\/orders\/1043$/);
  expect(await codeOf(url)).toBe('verified');
});

test('while a secret is being replaced either of the two verifies', async () => {
  const next = makeSecret();
  const url = sign(undefined, [secret, next]);
  expect(await codeOf(url, secret)).toBe('verified');
  expect(await codeOf(url, next)).toBe('verified');
  expect(await codeOf(url, [makeSecret(), next])).toBe('verified');
  expect(await codeOf(url, makeSecret())).toBe('signature_mismatch');
});

test.each([
  ['another payment', 'VP-0123456789AB', 'VP-0123456789AC', 'signature_mismatch'],
  ['another status', 'status=paid', 'status=overpaid', 'signature_mismatch'],
  ['another time', `timestamp=${nowMs / 1_000}`, `timestamp=${nowMs / 1_000 + 1}`, 'signature_mismatch'],
  [
    'parts that were moved',
    'VP-0123456789AB&status=paid',
    'VP-0123456789AB.paid&status=',
    'signature_mismatch',
  ],
  ['a second status', 'status=paid', 'status=paid&status=paid', 'parameters_missing'],
  ['no status', 'status=paid&', '', 'parameters_missing'],
  ['a time that is none', `timestamp=${nowMs / 1_000}`, 'timestamp=now', 'timestamp_malformed'],
  ['a signature that is none', /signature=.*/, 'signature=', 'signature_malformed'],
  ['one that is cut off', /.$/, '', 'signature_malformed'],
])('%s is not verified', async (_, from, to, code) => {
  expect(await codeOf(sign().replace(from, to))).toBe(code);
});

test('a return is taken for a day, unless told otherwise', async () => {
  const later = (seconds: number) => ({ now: () => nowMs + seconds * 1_000 });
  expect(await codeOf(sign(), secret, later(86_400))).toBe('verified');
  expect(await codeOf(sign(), secret, later(86_401))).toBe('timestamp_too_old');
  expect(await codeOf(sign(), secret, { ...later(61), toleranceSeconds: 60 })).toBe('timestamp_too_old');
  expect(await codeOf(sign(), secret, later(-86_401))).toBe('timestamp_too_new');
});

test.each(['', 'whsec_', 'secret', secret.slice(6)])('"%s" is no secret', async (none) => {
  expect(await codeOf(sign(), none)).toBe('secret_invalid');
});
