import { hash } from 'node:crypto';
import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import { hashShortMessage, MAX_SHORT_MESSAGE_BYTES } from '@coinfront/protocol/sha256-short.ts';

/** SHA-256: of short messages in our own code, of others by the runtime's, whichever takes less time. */
export function sha256(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_SHORT_MESSAGE_BYTES) return hash('sha256', bytes, 'buffer');
  const digest = new Uint8Array(32);
  hashShortMessage(bytes, 0, bytes.length, digest, 0);
  return digest;
}

const scriptHash = new Uint8Array(32);

/** The key under which the index finds a script. */
export function keyOfScript(script: Uint8Array): number {
  if (script.length > MAX_SHORT_MESSAGE_BYTES) return keyOfHash(sha256(script));
  hashShortMessage(script, 0, script.length, scriptHash, 0);
  return keyOfHash(scriptHash);
}
