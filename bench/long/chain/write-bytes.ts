/** Writes 32 bits, least byte first, and returns where they end. */
export function writeUint32(target: Uint8Array, at: number, value: number): number {
  target[at] = value;
  target[at + 1] = value >>> 8;
  target[at + 2] = value >>> 16;
  target[at + 3] = value >>> 24;
  return at + 4;
}

/** Reads what {@link writeUint32} writes. */
export function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** Writes an amount of base units, below 2^53, and returns where it ends. */
export function writeValue(target: Uint8Array, at: number, value: number): number {
  writeUint32(target, at, value >>> 0);
  return writeUint32(target, at + 4, Math.floor(value / 2 ** 32));
}

/** Writes a count below 65,536 in its shortest form and returns where it ends. */
export function writeCount(target: Uint8Array, at: number, count: number): number {
  if (count < 0xfd) {
    target[at] = count;
    return at + 1;
  }
  if (count > 0xffff) throw new Error(`A count of the bench is at most 65535, got ${count}.`);
  target[at] = 0xfd;
  target[at + 1] = count;
  target[at + 2] = count >>> 8;
  return at + 3;
}
