/** Bytes of a CompactSize that holds the value. */
export function compactSizeBytes(value: number): number {
  return value < 0xfd ? 1 : value <= 0xffff ? 3 : 5;
}

/** Builds a byte string from left to right. Multi-byte integers are little endian. */
export type ByteWriter = {
  readonly length: number;
  u8(value: number): void;
  u16(value: number): void;
  u32(value: number): void;
  i32(value: number): void;
  u64(value: bigint): void;
  /** CompactSize of a count or length below 2^32. */
  compactSize(value: number): void;
  bytes(value: Uint8Array): void;
  /** CompactSize length, then the bytes. */
  varBytes(value: Uint8Array): void;
  /** What was written so far, as a view that later writes leave alone. */
  finish(): Uint8Array;
};

/** A writer that doubles its room as needed; `sizeHint` (bytes) spares the growing. */
export function createWriter(sizeHint = 256): ByteWriter {
  let buffer = new Uint8Array(Math.max(16, sizeHint));
  let view = new DataView(buffer.buffer);
  let length = 0;

  /** Makes room and answers where the next `size` bytes go. */
  const reserve = (size: number): number => {
    const end = length + size;
    if (end > buffer.length) {
      const grown = new Uint8Array(Math.max(end, buffer.length * 2));
      grown.set(buffer.subarray(0, length));
      buffer = grown;
      view = new DataView(buffer.buffer);
    }
    const start = length;
    length = end;
    return start;
  };

  const u8 = (value: number): void => {
    const at = reserve(1);
    view.setUint8(at, value);
  };
  const u16 = (value: number): void => {
    const at = reserve(2);
    view.setUint16(at, value, true);
  };
  const u32 = (value: number): void => {
    const at = reserve(4);
    view.setUint32(at, value, true);
  };
  const compactSize = (value: number): void => {
    if (value < 0xfd) {
      u8(value);
    } else if (value <= 0xffff) {
      u8(0xfd);
      u16(value);
    } else {
      u8(0xfe);
      u32(value);
    }
  };
  const bytes = (value: Uint8Array): void => {
    const at = reserve(value.length);
    buffer.set(value, at);
  };

  return {
    get length() {
      return length;
    },
    u8,
    u16,
    u32,
    i32: (value) => {
      const at = reserve(4);
      view.setInt32(at, value, true);
    },
    u64: (value) => {
      const at = reserve(8);
      view.setBigUint64(at, value, true);
    },
    compactSize,
    bytes,
    varBytes: (value) => {
      compactSize(value.length);
      bytes(value);
    },
    finish: () => buffer.subarray(0, length),
  };
}
