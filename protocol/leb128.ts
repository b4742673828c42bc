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
  if (value < 0 || value > MAX_LEB128) throw new RangeError(`${value} is not within 0 to 2^63 - 1`);
  let at = offset;
  let high = 0n;
  let low = Number(value);
  // Arithmetic on bigints takes much longer: it is left to what is above 2^49.
  if (low >= 2 ** 49) {
    high = BigInt(value) >> 49n;
    low = Number(BigInt(value) & (2n ** 49n - 1n));
  }
  while (low >= 0x80 || (high > 0n && at - offset < 7)) {
    target[at++] = (low % 128) | 0x80;
    low = Math.floor(low / 128);
  }
  if (high === 0n) {
    target[at++] = low;
    return at;
  }
  for (; high >= 0x80n; high >>= 7n) target[at++] = Number(high & 0x7fn) | 0x80;
  target[at++] = Number(high);
  return at;
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
      : { ok: true, value: high | BigInt(low), next: offset + i + 1 };
  }
  return { ok: false, fault: 'too_large' };
}
