/** Core's MAX_SIZE: no count or length on the wire is larger. */
const MAX_COMPACT_SIZE = 0x02000000;

/** Smaller ones are a single byte. */
const FIRST_LONG_SIZE = 0xfd;

const EMPTY = new Uint8Array(0);

/**
 * Reads untrusted bytes from left to right. The first fault is kept in `failure`; from then on every read
 * answers zero or nothing and moves no further, so a caller may read a whole structure and look once.
 * Loops must run to a number that came from `count`, which is bounded by the bytes that are left.
 */
export type ByteReader = {
  readonly bytes: Uint8Array;
  /** Offset of the next unread byte. */
  readonly position: number;
  readonly remaining: number;
  readonly failure: string | undefined;
  /** Marks the bytes as bad. The first reason is kept. */
  reject(reason: string): void;
  u8(): number;
  u16(): number;
  u32(): number;
  i32(): number;
  u64(): bigint;
  i64(): bigint;
  /** CompactSize; only the shortest encoding, at most 33,554,432, as Core reads it. */
  compactSize(): number;
  /** CompactSize count of items that take at least `minItemBytes` each; more than can follow is a fault. */
  count(minItemBytes: number): number;
  /** The next `length` bytes as a view on the input, not a copy. */
  slice(length: number): Uint8Array;
  /** Steps over the next `length` bytes. */
  skip(length: number): void;
  /** CompactSize length, then so many bytes, as a view. */
  varSlice(): Uint8Array;
  /** Steps over so many of them; `count` comes from {@link count}. Of millions of empty ones each takes a few nanoseconds. */
  skipVarSlices(count: number): void;
};

/** A reader over the bytes, from an offset that must lie inside them. Multi-byte integers are little endian. */
export function createReader(bytes: Uint8Array, offset = 0): ByteReader {
  return new BytesReader(bytes, offset);
}

/** A class for the speed of it: one is made for every transaction, and fifteen closures took longer than parsing. */
class BytesReader implements ByteReader {
  readonly bytes: Uint8Array;
  position: number;
  failure: string | undefined = undefined;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, offset: number) {
    this.bytes = bytes;
    this.position = offset;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.bytes.length - this.position;
  }

  reject(reason: string): void {
    this.failure ??= `${reason} at byte ${this.position}`;
  }

  /** Steps over `length` bytes; answers where they begin, or -1 when they are not there. */
  #take(length: number): number {
    if (this.failure !== undefined) return -1;
    if (length > this.remaining) {
      this.reject(`needs ${length} more bytes, ${this.remaining} are left`);
      return -1;
    }
    const start = this.position;
    this.position += length;
    return start;
  }

  u8(): number {
    const at = this.#take(1);
    return at < 0 ? 0 : this.bytes[at]!;
  }

  u16(): number {
    const at = this.#take(2);
    return at < 0 ? 0 : this.#view.getUint16(at, true);
  }

  u32(): number {
    const at = this.#take(4);
    return at < 0 ? 0 : this.#view.getUint32(at, true);
  }

  i32(): number {
    const at = this.#take(4);
    return at < 0 ? 0 : this.#view.getInt32(at, true);
  }

  u64(): bigint {
    const at = this.#take(8);
    return at < 0 ? 0n : this.#view.getBigUint64(at, true);
  }

  i64(): bigint {
    const at = this.#take(8);
    return at < 0 ? 0n : this.#view.getBigInt64(at, true);
  }

  compactSize(): number {
    const first = this.u8();
    if (first < 0xfd) return first;
    const value = first === 0xfd ? this.u16() : first === 0xfe ? this.u32() : Number(this.u64());
    if (this.failure !== undefined) return 0;
    const smallest = first === 0xfd ? 0xfd : first === 0xfe ? 0x10000 : 0x100000000;
    if (value < smallest) this.reject('size is not in its shortest encoding');
    else if (value > MAX_COMPACT_SIZE) this.reject(`size ${value} is over ${MAX_COMPACT_SIZE}`);
    return this.failure === undefined ? value : 0;
  }

  count(minItemBytes: number): number {
    const value = this.compactSize();
    if (value * minItemBytes > this.remaining) {
      this.reject(`count ${value} is more than the ${this.remaining} bytes left can hold`);
    }
    return this.failure === undefined ? value : 0;
  }

  slice(length: number): Uint8Array {
    const at = this.#take(length);
    return at < 0 || length === 0 ? EMPTY : this.bytes.subarray(at, at + length);
  }

  skip(length: number): void {
    this.#take(length);
  }

  varSlice(): Uint8Array {
    return this.slice(this.compactSize());
  }

  skipVarSlices(count: number): void {
    if (this.failure !== undefined) return;
    const { bytes } = this;
    let at = this.position;
    for (let left = count; left > 0; left--) {
      const next = at + 1 + bytes[at]!;
      // At the end of the bytes there is no length, and nothing is below a number that is none.
      if (bytes[at]! < FIRST_LONG_SIZE && next <= bytes.length) {
        at = next;
        continue;
      }
      this.position = at;
      this.skip(this.compactSize());
      if (this.failure !== undefined) return;
      at = this.position;
    }
    this.position = at;
  }
}
