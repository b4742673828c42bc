import { Unreadable } from './bytes.ts';

/** Reads bytes from the first to the last; never beyond them. */
export type Reader = {
  /** Where it is. */
  at(): number;
  left(): number;
  u8(): number;
  u32(): number;
  u64(): bigint;
  bytes(length: number): Uint8Array;
  /** A length in Bitcoin's form, in its shortest spelling, of things that have at least `size` bytes each. */
  count(size: number): number;
  /** The bytes between two places. */
  slice(from: number, to: number): Uint8Array;
};

/** Every function throws {@link Unreadable} where bytes are missing. */
export function createReader(source: Uint8Array): Reader {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  let place = 0;
  const take = (length: number): number => {
    if (length > source.length - place) throw new Unreadable(`bytes are missing at ${place}`);
    place += length;
    return place - length;
  };
  const reader: Reader = {
    at: () => place,
    left: () => source.length - place,
    u8: () => view.getUint8(take(1)),
    u32: () => view.getUint32(take(4), true),
    u64: () => view.getBigUint64(take(8), true),
    bytes: (length) => {
      const from = take(length);
      return source.subarray(from, from + length);
    },
    count(size) {
      const count = readCompactSize(reader);
      if (count * size > reader.left()) throw new Unreadable(`a count of ${count} at ${place}`);
      return count;
    },
    slice: (from, to) => source.subarray(from, to),
  };
  return reader;
}

function readCompactSize(reader: Reader): number {
  const first = reader.u8();
  if (first < 0xfd) return first;
  const [length, least] = first === 0xfd ? [2, 0xfd] : first === 0xfe ? [4, 0x1_0000] : [8, 0x1_0000_0000];
  const bytes = reader.bytes(length);
  const value = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  if (value < least) throw new Unreadable(`a length that is not minimal at ${reader.at()}`);
  return value;
}
