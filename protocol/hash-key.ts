/** The first 48 bits of a hash as a safe integer. */
export function keyOfHash(bytes: Uint8Array, offset = 0): number {
  return (
    bytes[offset]! * 0x10000000000 +
    bytes[offset + 1]! * 0x100000000 +
    ((bytes[offset + 2]! << 24) |
      (bytes[offset + 3]! << 16) |
      (bytes[offset + 4]! << 8) |
      bytes[offset + 5]!) +
    // The shift above is signed: bring a set top bit back to a positive number.
    (bytes[offset + 2]! >= 0x80 ? 0x100000000 : 0)
  );
}
