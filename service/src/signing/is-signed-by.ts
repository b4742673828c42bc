import { createPublicKey, type KeyObject, verify } from 'node:crypto';

const publicKeys = new Map<string, KeyObject>();
/** Keys that are remembered: a log has one or a few. */
const REMEMBERED_KEYS = 100;

/** Whether an Ed25519 key (hex) has signed a text (as UTF-8): by the platform, which verifies ten thousand a second. No input throws. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    let key = publicKeys.get(publicKey);
    if (key === undefined) {
      const x = Buffer.from(publicKey, 'hex').toString('base64url');
      key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      if (publicKeys.size < REMEMBERED_KEYS) publicKeys.set(publicKey, key);
    }
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'hex'));
  } catch {
    return false;
  }
}
