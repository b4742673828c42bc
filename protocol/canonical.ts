import { concatBytes } from './bytes.ts';
import { sha256 } from './hash.ts';
import { encodeLeb128, MAX_LEB128_BYTES, writeLeb128 } from './leb128.ts';
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

/** A field of an event: bytes as they are, or an integer, which is written as LEB128. */
export type EventField = Uint8Array | bigint | number;

let scratch = new Uint8Array(512);

/** The bytes of one event: position in the block, txid (internal byte order), opcode, then its own fields. */
export function eventBytes(
  { position, txid }: EventPlace,
  opcode: number,
  ...fields: EventField[]
): Uint8Array {
  let room = 2 * MAX_LEB128_BYTES + txid.length;
  for (const field of fields) room += field instanceof Uint8Array ? field.length : MAX_LEB128_BYTES;
  if (room > scratch.length) scratch = new Uint8Array(room);
  let at = writeLeb128(scratch, 0, position);
  scratch.set(txid, at);
  at += txid.length;
  scratch[at++] = opcode;
  for (const field of fields) {
    if (field instanceof Uint8Array) {
      scratch.set(field, at);
      at += field.length;
    } else at = writeLeb128(scratch, at, field);
  }
  return scratch.slice(0, at);
}
