import { hash } from 'node:crypto';
import { keyOfHash } from '@coinfront/protocol/block-scan.ts';
import { hashShortMessage, MAX_SHORT_MESSAGE_BYTES } from '@coinfront/protocol/sha256-short.ts';

/** SHA-256 by the runtime's native code: 0.9 µs for 250 bytes, where portable code takes 2.3. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

const scriptHash = new Uint8Array(32);

/** The key under which the index finds a script. */
export function keyOfScript(script: Uint8Array): number {
  if (script.length > MAX_SHORT_MESSAGE_BYTES) return keyOfHash(sha256(script));
  hashShortMessage(script, 0, script.length, scriptHash, 0);
  return keyOfHash(scriptHash);
}
