/** Bytes of a number of 48 bits: keys of hashes, ids of transactions. */
export const UINT48_BYTES = 6;

/** Reads 48 bits, big-endian. */
export function readUint48(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! * 0x100 + bytes[at + 1]!) * 0x100000000 +
    bytes[at + 2]! * 0x1000000 +
    ((bytes[at + 3]! << 16) | (bytes[at + 4]! << 8) | bytes[at + 5]!)
  );
}

/** Writes 48 bits, big-endian. */
export function writeUint48(bytes: Uint8Array, at: number, value: number): void {
  const high = Math.floor(value / 0x100000000);
  // The lowest 32 bits, whatever is above them.
  const low = value | 0;
  bytes[at] = high >>> 8;
  bytes[at + 1] = high;
  bytes[at + 2] = low >>> 24;
  bytes[at + 3] = low >>> 16;
  bytes[at + 4] = low >>> 8;
  bytes[at + 5] = low;
}
