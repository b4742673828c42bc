import { concat, fromAscii, sha256 } from './bytes.ts';

/** A row of a live state. */
export type Row = { readonly kind: number; readonly key: Uint8Array; readonly value: Uint8Array };

/** `int(x)`: LEB128, as short as can be. */
export function int(value: bigint | number): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt(value);
  for (; left >= 0x80n; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return Uint8Array.from([...bytes, Number(left)]);
}

/** `text(x)`. */
export function text(ascii: string): Uint8Array {
  return concat(int(ascii.length), fromAscii(ascii));
}

/** `script(x)`. */
export function scriptHash(script: Uint8Array): Uint8Array {
  return sha256(script);
}

/** `u8(x)`. */
export function u8(value: number): Uint8Array {
  return Uint8Array.of(value);
}

/** An event of the transaction at an index of its block. */
export function event(index: number, txid: Uint8Array, opcode: number, ...fields: Uint8Array[]): Uint8Array {
  return concat(int(index), txid, u8(opcode), ...fields);
}

/** `events(h)`. */
export function hashEvents(events: readonly Uint8Array[]): Uint8Array {
  return sha256(concat(...events.flatMap((each) => [int(each.length), each])));
}

/** `chain(h)`. */
export function hashChain(previous: Uint8Array, blockHash: Uint8Array, events: Uint8Array): Uint8Array {
  return sha256(previous, blockHash, events);
}

/** `state(h)`, of rows in any order. */
export function hashState(rows: readonly Row[]): Uint8Array {
  return sha256(concat(...sortRows(rows).map(writeRow)));
}

/** Rows in the order in which they are hashed. */
export function sortRows(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => a.kind - b.kind || Buffer.compare(a.key, b.key));
}

/** The bytes of a row. */
export function writeRow({ kind, key, value }: Row): Uint8Array {
  return concat(u8(kind), int(key.length), key, int(value.length), value);
}
