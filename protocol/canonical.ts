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

/** Above this a copy by the runtime is faster than one byte by byte. */
const COPIED_BY_HAND = 64;

/** Canonical bytes while they are written, one field behind the other. Nothing is made for a field but its bytes. */
export class CanonicalBytes {
  bytes: Uint8Array;
  /** How many there are. */
  at = 0;

  /** @param room bytes at first; it grows */
  constructor(room: number) {
    this.bytes = new Uint8Array(room);
  }

  /** Makes sure that `more` bytes fit. */
  reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at + more));
    larger.set(this.bytes);
    this.bytes = larger;
  }

  field(field: EventField): void {
    if (field instanceof Uint8Array) this.raw(field);
    else this.integer(field);
  }

  raw(source: Uint8Array): void {
    this.reserve(source.length);
    const { bytes, at } = this;
    if (source.length > COPIED_BY_HAND) bytes.set(source, at);
    else for (let i = 0; i < source.length; i++) bytes[at + i] = source[i]!;
    this.at = at + source.length;
  }

  integer(value: bigint | number): void {
    this.reserve(MAX_LEB128_BYTES);
    this.at = writeLeb128(this.bytes, this.at, value);
  }

  /** What every event begins with: position in the block, txid (internal byte order), opcode. */
  eventHead({ position, txid }: EventPlace, opcode: number): void {
    this.integer(position);
    this.raw(txid);
    this.integer(opcode);
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.at);
  }
}

/** The bytes of one event: its head, then its own fields. */
export function eventBytes(place: EventPlace, opcode: number, ...fields: EventField[]): Uint8Array {
  const event = new CanonicalBytes(256);
  event.eventHead(place, opcode);
  for (const field of fields) event.field(field);
  return event.finish();
}
