/** Largest integer that the on-chain protocols write: 2^63 - 1, which fills nine bytes of seven bits. */
export const MAX_LEB128 = 2n ** 63n - 1n;

/** The most bytes that an integer takes. */
export const MAX_LEB128_BYTES = 9;

/**
 * An integer as minimal unsigned LEB128: seven bits a byte, the lowest first, the top bit set on all but the last.
 * @throws RangeError below 0 and above 2^63 - 1.
 */
export function encodeLeb128(value: bigint | number): Uint8Array {
  const bytes = new Uint8Array(MAX_LEB128_BYTES);
  return bytes.subarray(0, writeLeb128(bytes, 0, value));
}

/**
 * Writes what {@link encodeLeb128} gives to bytes that have room for it.
 * @returns the offset behind it
 * @throws RangeError below 0 and above 2^63 - 1.
 */
export function writeLeb128(target: Uint8Array, offset: number, value: bigint | number): number {
  // Arithmetic on bigints takes much longer: it is left to what is above 2^53.
  if (typeof value === 'bigint') {
    if (value < 0n || value > MAX_LEB128) throw new RangeError(`${value} is not within 0 to 2^63 - 1`);
    if (value > MAX_SAFE) return writeBigLeb128(target, offset, value);
  } else if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
    return writeLeb128(target, offset, BigInt(value));
  }
  let rest = Number(value);
  let at = offset;
  while (rest >= 0x80) {
    target[at++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  target[at++] = rest;
  return at;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

function writeBigLeb128(target: Uint8Array, offset: number, value: bigint): number {
  let at = offset;
  let rest = value;
  for (; rest >= 0x80n; rest >>= 7n) target[at++] = Number(rest & 0x7fn) | 0x80;
  target[at++] = Number(rest);
  return at;
}

/** How many bytes {@link encodeLeb128} gives for a safe integer. */
export function leb128Bytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

/** Why bytes are no integer: they end within it, it is longer than it needs to be, or it passes 2^63 - 1. */
export type Leb128Fault = 'truncated' | 'not_minimal' | 'too_large';

/** An integer and the offset behind it, or the fault. */
export type Leb128Read = { ok: true; value: bigint; next: number } | { ok: false; fault: Leb128Fault };

/** Reads the integer that begins at an offset; only its minimal form of at most nine bytes. */
export function readLeb128(bytes: Uint8Array, offset: number): Leb128Read {
  // The first seven bytes make a safe integer; arithmetic on bigints takes much longer.
  let low = 0;
  let high = 0n;
  for (let i = 0; i < MAX_LEB128_BYTES; i++) {
    const byte = bytes[offset + i];
    if (byte === undefined) return { ok: false, fault: 'truncated' };
    if (i < 7) low += (byte & 0x7f) * 2 ** (7 * i);
    else high |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte >= 0x80) continue;
    return byte === 0 && i > 0
      ? { ok: false, fault: 'not_minimal' }
      : { ok: true, value: high === 0n ? BigInt(low) : high | BigInt(low), next: offset + i + 1 };
  }
  return { ok: false, fault: 'too_large' };
}
