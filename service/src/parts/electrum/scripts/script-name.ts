/** What scripts are called while they are watched: their SHA-256 as a text, which maps find quickly. */

import { reverseBytes } from '@coinfront/protocol/bytes.ts';

/** The name of a script by its SHA-256. */
export function nameOfScript(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}

/** The SHA-256 that a name stands for. */
export function hashOfName(name: string): Uint8Array {
  return Buffer.from(name, 'latin1');
}

/** A name as clients say it: the hash in display order. */
export function showName(name: string): string {
  return Buffer.from(reverseBytes(hashOfName(name))).toString('hex');
}
