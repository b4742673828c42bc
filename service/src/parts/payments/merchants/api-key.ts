/** API keys of merchants: 32 random bytes, shown once, kept as their SHA-256. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const FORM = /^cfk_[A-Za-z0-9_-]{43}$/;
const HINT_LENGTH = 8;

/** A new key, and what is kept of it. */
export type NewApiKey = { key: string; hash: string; hint: string };

/** Makes a key. */
export function createApiKey(): NewApiKey {
  const key = `cfk_${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashApiKey(key), hint: key.slice(0, HINT_LENGTH) };
}

/** Whether this text has the form of a key. */
export function isApiKeyForm(text: unknown): text is string {
  return typeof text === 'string' && FORM.test(text);
}

/** SHA-256 in hex: enough for a key of 256 random bits, which nobody finds by trying. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Compares two hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}
