import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 as sha256Noble } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return sha256Noble(bytes);
}

/** SHA-256 twice: txids, block hashes, merkle nodes (in internal byte order). */
export function sha256d(bytes: Uint8Array): Uint8Array {
  return sha256Noble(sha256Noble(bytes));
}

/** RIPEMD-160 of SHA-256: the hash of a public key or of a script in an address. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256Noble(bytes));
}

/** BIP-340 tagged hash of the concatenated parts. */
export function taggedHash(tag: string, ...parts: Uint8Array[]): Uint8Array {
  const tagHash = sha256Noble(utf8ToBytes(tag));
  const hasher = sha256Noble.create().update(tagHash).update(tagHash);
  for (const part of parts) hasher.update(part);
  return hasher.digest();
}
