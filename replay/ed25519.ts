import { createPublicKey, verify } from 'node:crypto';
import { concat, fromHex } from './bytes.ts';

const P = 2n ** 255n - 19n;
/** What precedes a raw key in the form that Node reads (RFC 8410). */
const KEY_PREFIX = fromHex('302a300506032b6570032100');
/** Second coordinates of the points whose order divides 8. */
const SMALL_ORDER = [
  0n,
  1n,
  P - 1n,
  readNumber(fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')),
  readNumber(fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')),
];

/** Whether a signature is that of a key: RFC 8032, with canonical encodings and no points of small order. */
export function verifyEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  if (!isGoodPoint(key) || !isGoodPoint(signature.subarray(0, 32))) return false;
  try {
    const der = Buffer.from(concat(KEY_PREFIX, key));
    return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
  } catch {
    return false;
  }
}

function isGoodPoint(bytes: Uint8Array): boolean {
  const y = readNumber(bytes) & (2n ** 255n - 1n);
  return y < P && !SMALL_ORDER.includes(y);
}

function readNumber(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
