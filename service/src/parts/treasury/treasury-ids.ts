import { randomBytes } from 'node:crypto';

/** Crockford's base32: no I, L, O, U, so that an identifier survives being read out and typed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = { contributor: 12, intent: 16 };

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join('');
}

/** Public id of a contributor. */
export function createContributorId(): string {
  return `VC-${randomText(CHARACTERS.contributor)}`;
}

/** Id of an intent: 80 random bits, so that others' are not found by trying. */
export function createIntentId(): string {
  return `VI-${randomText(CHARACTERS.intent)}`;
}
