import { randomBytes } from 'node:crypto';

/** Crockford's base32: no I, L, O, U, so that an identifier survives being read out and typed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What {@link createPaymentId} makes. */
export const paymentIdPattern = /^VP-[0-9A-HJKMNP-TV-Z]{12}$/;
/** What {@link createId} makes for an endpoint of webhooks. */
export const webhookIdPattern = /^whk_[0-9A-HJKMNP-TV-Z]{20}$/;

/** `length` random characters, 5 bits each. */
function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');
}

/** Identifier of a payment: 60 random bits, so a public one cannot be found by trying. */
export function createPaymentId(): string {
  return `VP-${randomText(12)}`;
}

/** Identifier of anything else: prefix and 100 random bits. */
export function createId(prefix: 'mer' | 'key' | 'sec' | 'whk' | 'evt' | 'dlv' | 'ref' | 'rsl'): string {
  return `${prefix}_${randomText(20)}`;
}
