/** Core's MAX_SIZE: no count or length on the wire is larger. */
const MAX_COMPACT_SIZE = 0x02000000;

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
  /** CompactSize length, then so many bytes, as a view. */
  varSlice(): Uint8Array;
};

/** A reader over the bytes, from an offset that must lie inside them. Multi-byte integers are little endian. */
export function createReader(bytes: Uint8Array, offset = 0): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = offset;
  let failure: string | undefined;

  const reject = (reason: string): void => {
    failure ??= `${reason} at byte ${position}`;
  };

  /** Steps over `length` bytes; answers where they begin, or -1 when they are not there. */
  const take = (length: number): number => {
    if (failure !== undefined) return -1;
    if (length > bytes.length - position) {
      reject(`needs ${length} more bytes, ${bytes.length - position} are left`);
      return -1;
    }
    const start = position;
    position += length;
    return start;
  };

  const u8 = (): number => {
    const at = take(1);
    return at < 0 ? 0 : view.getUint8(at);
  };
  const u16 = (): number => {
    const at = take(2);
    return at < 0 ? 0 : view.getUint16(at, true);
  };
  const u32 = (): number => {
    const at = take(4);
    return at < 0 ? 0 : view.getUint32(at, true);
  };
  const i32 = (): number => {
    const at = take(4);
    return at < 0 ? 0 : view.getInt32(at, true);
  };
  const u64 = (): bigint => {
    const at = take(8);
    return at < 0 ? 0n : view.getBigUint64(at, true);
  };
  const i64 = (): bigint => {
    const at = take(8);
    return at < 0 ? 0n : view.getBigInt64(at, true);
  };

  const compactSize = (): number => {
    const first = u8();
    if (first < 0xfd) return first;
    const value = first === 0xfd ? u16() : first === 0xfe ? u32() : Number(u64());
    if (failure !== undefined) return 0;
    const smallest = first === 0xfd ? 0xfd : first === 0xfe ? 0x10000 : 0x100000000;
    if (value < smallest) reject('size is not in its shortest encoding');
    else if (value > MAX_COMPACT_SIZE) reject(`size ${value} is over ${MAX_COMPACT_SIZE}`);
    return failure === undefined ? value : 0;
  };

  const count = (minItemBytes: number): number => {
    const value = compactSize();
    if (value * minItemBytes > bytes.length - position) {
      reject(`count ${value} is more than the ${bytes.length - position} bytes left can hold`);
    }
    return failure === undefined ? value : 0;
  };

  const slice = (length: number): Uint8Array => {
    const at = take(length);
    return at < 0 || length === 0 ? EMPTY : bytes.subarray(at, at + length);
  };

  return {
    bytes,
    get position() {
      return position;
    },
    get remaining() {
      return bytes.length - position;
    },
    get failure() {
      return failure;
    },
    reject,
    u8,
    u16,
    u32,
    i32,
    u64,
    i64,
    compactSize,
    count,
    slice,
    varSlice: () => slice(compactSize()),
  };
}
