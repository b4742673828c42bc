/** Unsigned LEB128 numbers in a growing buffer. */
export type VarintWriter = {
  bytes: Uint8Array;
  at: number;
};

/** A position in packed bytes. */
export type VarintReader = { bytes: Uint8Array; at: number };

const MAX_BYTES = 10;

/** Makes sure that `more` bytes fit. */
export function reserve(writer: VarintWriter, more: number): void {
  if (writer.at + more <= writer.bytes.length) return;
  const larger = new Uint8Array(Math.max(writer.bytes.length * 2, writer.at + more));
  larger.set(writer.bytes);
  writer.bytes = larger;
}

/** Writes a safe integer. */
export function writeVarint(writer: VarintWriter, value: number): void {
  reserve(writer, MAX_BYTES);
  const { bytes } = writer;
  let at = writer.at;
  let rest = value;
  while (rest >= 0x80000000) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 128);
  }
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  writer.at = at;
}

/** Writes an amount, which may pass 2^53. */
export function writeBigVarint(writer: VarintWriter, value: bigint): void {
  if (value <= Number.MAX_SAFE_INTEGER) {
    writeVarint(writer, Number(value));
    return;
  }
  reserve(writer, MAX_BYTES);
  let rest = value;
  while (rest >= 0x80n) {
    writer.bytes[writer.at++] = Number(rest & 0x7fn) | 0x80;
    rest >>= 7n;
  }
  writer.bytes[writer.at++] = Number(rest);
}

/** Reads a safe integer. */
export function readVarint(reader: VarintReader): number {
  const { bytes } = reader;
  let value = 0;
  let factor = 1;
  for (;;) {
    const byte = bytes[reader.at++] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
    factor *= 128;
  }
}

/** Reads an amount. */
export function readBigVarint(reader: VarintReader): bigint {
  const start = reader.at;
  const value = readVarint(reader);
  if (value <= Number.MAX_SAFE_INTEGER) return BigInt(value);
  let exact = 0n;
  for (let i = reader.at - 1; i >= start; i--) exact = (exact << 7n) | BigInt(reader.bytes[i]! & 0x7f);
  return exact;
}

/** Passes over `count` numbers. */
export function skipVarints(reader: VarintReader, count: number): void {
  const { bytes } = reader;
  for (let i = 0; i < count; i++) {
    while (bytes[reader.at++]! >= 0x80) {
      // The last byte of a number has its top bit clear.
    }
  }
}
