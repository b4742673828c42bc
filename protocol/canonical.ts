import { concatBytes } from './bytes.ts';
import { sha256 } from './hash.ts';
import { encodeLeb128 } from './leb128.ts';
import { hashShortMessage, MAX_SHORT_MESSAGE_BYTES } from './sha256-short.ts';

/** One row of a protocol's live state as it is hashed: rows sort by kind, then by the bytes of the key. */
export type StateRow = { readonly kind: number; readonly key: Uint8Array; readonly value: Uint8Array };

/** Where an event happened: what its canonical bytes begin with. */
export type EventPlace = { readonly position: number; readonly txid: Uint8Array };

/** Bytes of variable length: their length as LEB128, then they. */
export function prefixed(bytes: Uint8Array): Uint8Array {
  return concatBytes(encodeLeb128(bytes.length), bytes);
}

/** How a scriptPubKey stands in canonical bytes: by its SHA-256. */
export function scriptHash(script: Uint8Array): Uint8Array {
  if (script.length > MAX_SHORT_MESSAGE_BYTES) return sha256(script);
  const hash = new Uint8Array(32);
  hashShortMessage(script, 0, script.length, hash, 0);
  return hash;
}

/** The bytes of one event: position in the block, txid (internal byte order), opcode, then its own fields. */
export function eventBytes(
  { position, txid }: EventPlace,
  opcode: number,
  ...fields: Uint8Array[]
): Uint8Array {
  return concatBytes(encodeLeb128(position), txid, Uint8Array.of(opcode), ...fields);
}
