/** Addresses of Tor onion services, version 3 (Tor's rend-spec-v3, section 6). */

import { ed25519 } from '@noble/curves/ed25519.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '../bytes.ts';
import { fail, ok, type Result } from '../result.ts';

const LABEL_LENGTH = 56;
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 2;
const VERSION = 3;
const BITS_PER_DIGIT = 5;
const digits = 'abcdefghijklmnopqrstuvwxyz234567';
const prefix = new TextEncoder().encode('.onion checksum');

/**
 * Reads `<56 base32 digits>.onion`, in either case: key, checksum and version. A key with a torsion part is refused, as clients of Tor
 * have to: such a service would have eight addresses.
 *
 * @returns the address in lower case
 */
export function parseOnionAddress(text: string): Result<string> {
  const address = text.toLowerCase();
  const label = address.slice(0, -'.onion'.length);
  if (!address.endsWith('.onion') || label.length !== LABEL_LENGTH || !/^[a-z2-7]+$/.test(label))
    return fail('an onion address of version 3 has 56 letters and digits (a-z, 2-7) before .onion');
  const bytes = decodeLabel(label);
  const key = bytes.slice(0, KEY_BYTES);
  const version = bytes.at(-1)!;
  if (version !== VERSION)
    return fail(`onion address of version ${version}; only version ${VERSION} is known`);
  const checksum = sha3_256(concatBytes(prefix, key, Uint8Array.of(version)));
  for (let i = 0; i < CHECKSUM_BYTES; i++)
    if (bytes[KEY_BYTES + i] !== checksum[i]) return fail('the checksum of the onion address is wrong');
  if (!isServiceKey(key)) return fail('the onion address has no key of a service');
  return ok(address);
}

function decodeLabel(label: string): Uint8Array {
  const bytes = new Uint8Array((label.length * BITS_PER_DIGIT) / 8);
  let bits = 0;
  let value = 0;
  let at = 0;
  for (const digit of label) {
    value = ((value << BITS_PER_DIGIT) | digits.indexOf(digit)) & 0xfff;
    bits += BITS_PER_DIGIT;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (value >>> bits) & 0xff;
  }
  return bytes;
}

function isServiceKey(key: Uint8Array): boolean {
  try {
    const point = ed25519.Point.fromBytes(key);
    return !point.isSmallOrder() && point.isTorsionFree();
  } catch {
    return false;
  }
}
