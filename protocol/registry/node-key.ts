import { ed25519 } from '@noble/curves/ed25519.js';
import { getHexBytes } from '../bytes.ts';
import { fail, ok, type Result } from '../result.ts';

const encoder = new TextEncoder();

/**
 * Reads an Ed25519 public key: 64 hex digits of a point of large order, in its one encoding. Keys of small order would
 * accept signatures that nobody made.
 */
export function parseEd25519Key(text: string): Result<string> {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) return fail('an Ed25519 public key has 64 hex digits');
  const hex = text.toLowerCase();
  if (!ed25519.utils.isValidPublicKey(getHexBytes(hex), false)) return fail('no point of the curve');
  const point = ed25519.Point.fromHex(hex);
  if (point.isSmallOrder() || !point.isTorsionFree()) return fail('a point outside of the prime-order group');
  return ok(hex);
}

/**
 * Whether the key has signed the text (as UTF-8), by the strict rules of RFC 8032. No input throws.
 *
 * @param signature 128 hex digits
 */
export function verifyEd25519(publicKey: string, text: string, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(publicKey) || !/^[0-9a-fA-F]{128}$/.test(signature)) return false;
  try {
    const message = encoder.encode(text);
    return ed25519.verify(getHexBytes(signature), message, getHexBytes(publicKey), { zip215: false });
  } catch {
    return false;
  }
}
