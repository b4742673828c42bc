import { hash } from 'node:crypto';

/** What was read is not what it should be: a block, a transaction, an answer. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Lower case hex. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** @throws Unreadable unless it is hex, of so many bytes where a length is given. */
export function fromHex(text: string, length?: number): Uint8Array {
  const isHex = /^([0-9a-fA-F]{2})*$/.test(text);
  if (!isHex || (length !== undefined && text.length !== 2 * length))
    throw new Unreadable(`no hex${length === undefined ? '' : ` of ${length} bytes`}: ${text.slice(0, 80)}`);
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/** Bytes of a text that has one byte a character. */
export function fromAscii(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** As people write a hash, from internal byte order, and back. */
export function flip(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes).reverse();
}

export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(hash('sha256', parts.length === 1 ? parts[0]! : concat(...parts), 'buffer'));
}

/** SHA-256 twice: txids, hashes of blocks, merkle trees of blocks. */
export function doubleSha256(...parts: readonly Uint8Array[]): Uint8Array {
  return sha256(sha256(...parts));
}
